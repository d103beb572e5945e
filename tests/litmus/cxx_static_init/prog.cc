// A function-local static is made once, and whoever comes second waits.
#include <cassert>
#include <thread>

static int made;

struct config {
	int size;
	config() : size(7) { made++; }
};

static config &get_config()
{
	static config instance;
	return instance;
}

static void use()
{
	assert(get_config().size == 7);
}

int main()
{
	std::thread first(use), second(use);

	first.join();
	second.join();
	assert(made == 1);
	return 0;
}
