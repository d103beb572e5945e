// Two readers and a writer through std::shared_mutex.
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int value;

static void read_value()
{
	std::shared_lock<std::shared_mutex> guard(lock);
	volatile int seen = value;
	(void)seen;
}

static void write_value()
{
#ifdef WRITE_SHARED
	std::shared_lock<std::shared_mutex> guard(lock);
#else
	std::unique_lock<std::shared_mutex> guard(lock);
#endif
	value++;
}

int main()
{
	std::thread first(read_value), second(write_value), third(read_value);

	first.join();
	second.join();
	third.join();
	return 0;
}
