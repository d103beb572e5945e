// A promise destroyed unkept is an exception for who waits, no deadlock.
#include <cassert>
#include <future>
#include <memory>
#include <thread>

int main()
{
	auto promise = std::make_unique<std::promise<int>>();
	std::future<int> future = promise->get_future();
	std::thread breaker([&promise] { promise.reset(); });
	bool is_broken = false;

	try {
		future.get();
	} catch (const std::future_error &error) {
		is_broken = error.code() == std::future_errc::broken_promise;
	}
	breaker.join();
	assert(is_broken);
	return 0;
}
