// Handlers for the end run in the opposite order of their registration, which depends on the schedule if
// threads register them; so do the destructors of static variables inside of functions (-DSTATICS).
// -DWORDS: xalloc() counts for all threads.
#include <cassert>
#include <cstdlib>
#include <ios>
#include <thread>
#include <unistd.h>

static int last;

struct One {
	~One() { last = 1; }
};

struct Two {
	~Two() { last = 2; }
};

static void check()
{
	if (last != 1)
		_exit(9);
}

static void first()
{
#if defined(STATICS)
	static One one;
#elif defined(WORDS)
	last = std::ios_base::xalloc();
#else
	std::atexit([] { last = 1; });
#endif
}

static void second()
{
#if defined(STATICS)
	static Two two;
#elif defined(WORDS)
	std::ios_base::xalloc();
#else
	std::atexit([] { last = 2; });
#endif
}

int main()
{
#ifdef WORDS
	int before = std::ios_base::xalloc();
#else
	std::atexit(check);
#endif
	std::thread a(first), b(second);

	a.join();
	b.join();
#ifdef WORDS
	assert(last == before + 1);
#endif
	return 0;
}
