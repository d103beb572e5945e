// A connection attempt is given up: its promise is destroyed without a value.
#include <atomic>
#include <future>
#include <memory>
#include <thread>

static std::atomic<bool> cancelled{false};

static void connect(std::promise<int> done)
{
	if (cancelled)
		return; // the promise is broken here
	done.set_value(42);
}

int main()
{
	std::promise<int> done;
	std::future<int> socket = done.get_future();
	std::thread worker(connect, std::move(done));
	std::thread user([] { cancelled = true; });
	int fd = socket.get();
	worker.join();
	user.join();
	return fd == 42 ? 0 : 1;
}
