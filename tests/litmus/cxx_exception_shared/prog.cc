// Two threads hold one exception, and who gives it back last destroys it, behind all uses. HOW: 1 by a
// std::exception_ptr, 2 main by a handler of what was thrown, 3 the thread by a handler of what is thrown again. LAST says
// which of the two is taken to be the last one, which is wrong in some schedule; without it nothing is.
#include <cassert>
#include <exception>
#include <thread>
#include <utility>

static std::thread::id last;

struct Thrown {
	int value = 1;
	Thrown() = default;
	Thrown(const Thrown &) = default;
	~Thrown()
	{
		value = 0;
		last = std::this_thread::get_id();
	}
};

static void use(std::exception_ptr held)
{
	if (HOW != 3)
		return;
	try {
		std::rethrow_exception(std::move(held));
	} catch (const Thrown &thrown) {
		assert(thrown.value == 1);
	}
}

int main()
{
	auto self = std::this_thread::get_id();
	std::thread thread;

	if (HOW == 2) {
		try {
			throw Thrown();
		} catch (const Thrown &thrown) {
			thread = std::thread(use, std::current_exception());
			assert(thrown.value == 1);
		}
	} else {
		auto held = std::make_exception_ptr(Thrown());
		thread = std::thread(use, held);
	}
	thread.join();
#ifdef LAST
	assert((last == self) == LAST);
#else
	(void)self;
#endif
}
