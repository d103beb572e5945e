// timed_mutex, recursive_mutex, try_lock.
#include <cassert>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

static std::timed_mutex timed;
static std::recursive_mutex recursive;

int main()
{
	std::thread holder([] {
		std::lock_guard<std::timed_mutex> guard(timed);
		std::lock_guard<std::recursive_mutex> outer(recursive);
		assert(recursive.try_lock());
		recursive.unlock();
	});
	bool got = timed.try_lock_for(std::chrono::milliseconds(5));

	if (got)
		timed.unlock();
	holder.join();
	std::puts(got ? "got it" : "timed out");
	return 0;
}
