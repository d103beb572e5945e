// A flag published before the data; both are atomics.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> data{0};
static std::atomic<bool> ready{false};

static void producer()
{
	ready.store(true, std::memory_order_release);
	data.store(42, std::memory_order_relaxed);
}

static void consumer()
{
	if (ready.load(std::memory_order_acquire))
		assert(data.load(std::memory_order_relaxed) == 42);
}

int main()
{
	std::thread p(producer), c(consumer);
	p.join();
	c.join();
}
