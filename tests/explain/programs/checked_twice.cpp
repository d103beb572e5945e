// Double-checked initialisation: the flag is set before the object is ready.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Config { int port = 0; int workers = 0; };

static std::atomic<bool> ready{false};
static std::mutex init_lock;
static Config config;

static const Config &get_config()
{
	if (!ready.load()) {
		std::lock_guard<std::mutex> guard(init_lock);
		if (!ready.load()) {
			ready.store(true);
			config.port = 8080;
			config.workers = 4;
		}
	}
	return config;
}

static void serve()
{
	assert(get_config().port == 8080);
}

int main()
{
	std::thread a(serve), b(serve);
	a.join();
	b.join();
}
