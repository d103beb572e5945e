// A shared_ptr is copied without the lock under which it is assigned to.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Config {
	explicit Config(int version) : version(version) {}
	int version;
};

static std::mutex mutex;
static std::shared_ptr<Config> current = std::make_shared<Config>(1);

int main()
{
	std::thread request([] {
		std::shared_ptr<Config> config = current;
		assert(config->version > 0);
	});
	std::thread reload([] {
		auto fresh = std::make_shared<Config>(2);
		std::lock_guard<std::mutex> guard(mutex);
		current = fresh;
	});

	request.join();
	reload.join();
}
