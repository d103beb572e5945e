// std::atomic with orders: message passing.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef RELAXED
#define PUBLISH std::memory_order_relaxed
#else
#define PUBLISH std::memory_order_release
#endif

static int data;
static std::atomic<bool> is_ready{ false };

int main()
{
	std::thread writer([] {
		data = 42;
		is_ready.store(true, PUBLISH);
	});
	std::thread reader([] {
		if (is_ready.load(std::memory_order_acquire))
			assert(data == 42);
	});

	writer.join();
	reader.join();
	return 0;
}
