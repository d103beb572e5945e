// A wait without a predicate misses a notification that came before.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable cond;
static bool is_ready;

static void wait()
{
	std::unique_lock<std::mutex> guard(lock);
#ifdef FIXED
	cond.wait(guard, [] { return is_ready; });
#else
	cond.wait(guard);
#endif
}

static void wake()
{
	std::lock_guard<std::mutex> guard(lock);
	is_ready = true;
	cond.notify_one();
}

int main()
{
	std::thread waiter(wait), waker(wake);

	waiter.join();
	waker.join();
	return 0;
}
