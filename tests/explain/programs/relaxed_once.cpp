// Double-checked locking with relaxed atomics: the other thread may see the pointer and not the object.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Config {
	int port = 8080;
};

static std::atomic<Config *> instance;
static std::mutex once;

static Config *get()
{
	using std::memory_order_relaxed;
	Config *c =
		instance.load(memory_order_relaxed);
	if (!c) {
		std::lock_guard<std::mutex> guard(once);
		c = instance.load(memory_order_relaxed);
		if (!c) {
			c = new Config;
			instance.store(c, memory_order_relaxed);
		}
	}
	return c;
}

int main()
{
	auto use = [] { assert(get()->port == 8080); };
	std::thread a(use), b(use);
	a.join();
	b.join();
}
