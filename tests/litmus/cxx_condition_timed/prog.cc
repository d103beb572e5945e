// wait_for, wait_until and condition_variable_any may time out.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable_any cond;
static bool is_ready;

int main()
{
	std::thread waker([] {
		std::lock_guard<std::mutex> guard(lock);
		is_ready = true;
		cond.notify_all();
	});
	bool seen;

	{
		std::unique_lock<std::mutex> guard(lock);
		seen = cond.wait_for(guard, std::chrono::milliseconds(10), [] { return is_ready; });
	}
	waker.join();
	std::puts(seen ? "ready" : "timed out");
	return 0;
}
