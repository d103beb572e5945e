// std::thread and std::lock_guard: a counter with and without its lock.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int counter;

static void count()
{
#ifdef FIXED
	std::lock_guard<std::mutex> guard(lock);
#endif
	counter++;
}

int main()
{
	std::thread first(count), second(count);

	first.join();
	second.join();
	return 0;
}
