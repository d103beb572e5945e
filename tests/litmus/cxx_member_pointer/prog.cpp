// Pointers to member functions of the C++ library. The lowest bit of such a pointer says that the function is
// virtual, so the wrapper's stand-ins for them begin at even addresses.
#include <sstream>
#include <string>
#include <thread>

template <class R, class C> static void call(R (C::*function)(), C &object)
{
	(object.*function)();
}

int main()
{
	static std::ostringstream text;
	static std::string word = "word";
	std::thread worker([] {
		call(&std::ostream::flush, static_cast<std::ostream &>(text));
		call(&std::string::clear, word);
		call(&std::string::pop_back, word += "ab");
		call(&std::string::shrink_to_fit, word);
	});
	std::thread other([] {});

	call(&std::thread::join, worker);
	call(&std::thread::detach, other);
	return word != "a";
}
