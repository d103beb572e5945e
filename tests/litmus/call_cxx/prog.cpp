// Objects of the C++ library that two threads share: the library itself is not instrumented. The argument
// says which; without one all of them are used, under a lock.
#include <array>
#include <cstdlib>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>

// Not static: what nobody else can read compilers leave out.
std::stringstream stream("1 2 3");
std::string text = "some text that is too long for the object itself", other;
std::map<int, int> tree;
std::list<int> numbers;
std::array<char, 48> bytes;
std::mutex lock;
int taken[2];

enum which { UNDER_A_LOCK, STREAM, STRING, MAP, LIST, ARRAY, LOCALE, OUTPUT };

static void use(which thing, int me)
{
	switch (thing) {
	case UNDER_A_LOCK:
		break;
	case STREAM:
		stream >> taken[me];
		break;
	case STRING:
		if (me == 0)
			text.append("more");
		else
			other = text;
		break;
	case MAP:
		tree[me] = 1;
		break;
	case LIST:
		numbers.push_back(me);
		break;
	case ARRAY:
		bytes.fill(static_cast<char>(me));
		break;
	case LOCALE:
		std::locale::global(std::locale::classic());
		break;
	case OUTPUT:
		std::cout << "a line\n";
		break;
	}
}

static void work(which thing, int me)
{
	if (thing != UNDER_A_LOCK) {
		use(thing, me);
		return;
	}
	std::lock_guard<std::mutex> guard(lock);
	for (int each = STREAM; each <= OUTPUT; each++)
		if (each != LOCALE)
			use(static_cast<which>(each), me);
}

int main(int argc, char **argv)
{
	which thing = argc > 1 ? static_cast<which>(std::atoi(argv[1])) : UNDER_A_LOCK;
	std::thread a(work, thing, 0), b(work, thing, 1);
	a.join();
	b.join();
}
