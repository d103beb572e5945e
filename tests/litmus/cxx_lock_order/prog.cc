// Two mutexes in two orders; std::scoped_lock takes them without deadlock.
#include <mutex>
#include <thread>

static std::mutex a, b;

static void take(std::mutex &first, std::mutex &second)
{
#ifdef FIXED
	std::scoped_lock both(first, second);
#else
	std::lock_guard<std::mutex> one(first);
	std::lock_guard<std::mutex> two(second);
#endif
}

int main()
{
	std::thread ab([] { take(a, b); });
	std::thread ba([] { take(b, a); });

	ab.join();
	ba.join();
	return 0;
}
