// Members of strings and streams that are called in the C++ library, which has no hooks, and what they do to
// the characters of strings, to strings that they are given, and to blocks that they free. Up to C++17
// most members of std::string are in the library.
#include <cassert>
#include <locale>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

static std::string text = "some text that is too long for the object itself", other = "more of it: longer than the object is, too";
static std::wstring wide = L"some text that is too long for the object itself";
static std::stringstream numbers("1 2 3");
static double number;
static std::locale place;
static char *inside = &text[0];
static std::mutex lock;
volatile size_t seen;

#ifdef FIXED
#define GUARD std::lock_guard<std::mutex> guard(lock)
#else
#define GUARD
#endif

static void change()
{
	GUARD;
#if defined LOOK || defined PRINT
	text[20] = 'X';
#elif defined LOOK_WIDE
	wide[47] = L'X';
#elif defined LATER
	text[40] = 'X'; // the others look at what comes before
#elif defined PUT || defined GROW || defined APPEND
	seen = static_cast<size_t>(inside[2]);
#elif defined GIVE || defined THROW
	text.swap(other);
#elif defined EXTRACT
	seen = static_cast<size_t>(number);
#elif defined STATE
	numbers.clear();
#elif defined NAME
	place = std::locale::classic();
#elif defined CAUGHT
	try {
		seen = static_cast<size_t>(text.at(1000));
	} catch (std::out_of_range &) {
	}
#elif defined WALK
	for (char &c : text)
		if (c == 'X')
			seen = 1;
#endif
}

static void look()
{
	GUARD;
#if defined LOOK
	seen = text.rfind('q');
#elif defined PRINT
	numbers << text;
#elif defined LOOK_WIDE
	seen = wide.rfind(L'q');
#elif defined LATER
	seen = text.substr(5, 10).size() + static_cast<size_t>(text.compare(0, 4, "text"));
#elif defined PUT
	text.replace(2, 1, 1, 'x');
#elif defined GROW
	text.insert(0, 1, 'x');
#elif defined APPEND
	text.push_back('x');
#elif defined GIVE
	std::istringstream stream(text);
	seen = stream.good();
#elif defined THROW
	std::runtime_error error(text);
	seen = error.what() != nullptr;
#elif defined EXTRACT
	numbers >> number;
#elif defined STATE
	seen = !!numbers;
#elif defined NAME
	seen = place.name().size();
#elif defined CAUGHT || defined WALK
	change();
#endif
}

int main()
{
#ifdef APPEND // there is room: what is in the string stays where it is
	text.reserve(200);
	inside = &text[0];
#endif
	std::thread first(change), second(look);

	first.join();
	second.join();
	return 0;
}
