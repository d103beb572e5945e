// cout and its kin may be used by several threads while they hand everything on to stdio. With another buffer
// nothing guards it.
#include <iostream>
#include <mutex>
#include <sstream>
#include <streambuf>
#include <thread>

static std::mutex lock;

#ifdef FIXED
#define GUARD std::lock_guard<std::mutex> guard(lock)
#else
#define GUARD
#endif

#if defined(TIED) // cin flushes cout before it reads
static void first() { GUARD; std::cin.get(); }
static void second() { GUARD; std::cout << "b"; }
#else
static void first() { GUARD; std::cout << "a"; }
static void second() { GUARD; std::cout << "b"; }
#endif

#ifdef OWN // the buffer has a lock of its own
struct buffer : std::streambuf {
	int overflow(int c) override
	{
		std::lock_guard<std::mutex> guard(lock);
		count++;
		return c;
	}
	std::streamsize xsputn(const char *, std::streamsize len) override
	{
		std::lock_guard<std::mutex> guard(lock);
		count += len;
		return len;
	}
	std::streamsize count = 0;
};
#endif

int main()
{
#if defined(APART) || defined(TIED)
	std::ios_base::sync_with_stdio(false);
#elif defined(REPLACED)
	static std::ostringstream text;
	auto *before = std::cout.rdbuf(text.rdbuf());
#elif defined(OWN)
	static buffer text;
	auto *before = std::cout.rdbuf(&text);
#endif
	std::thread a(first), b(second);
	a.join();
	b.join();
#if defined(REPLACED) || defined(OWN)
	std::cout.rdbuf(before);
#endif
#ifdef OWN
	return text.count != 2;
#endif
}
