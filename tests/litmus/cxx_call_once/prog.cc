// call_once: once, even if the first try throws.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int tries, successes;

static void initialise()
{
	if (tries++ == 0)
		throw std::runtime_error("not yet");
	successes++;
}

static void use()
{
	try {
		std::call_once(once, initialise);
		assert(successes == 1);
	} catch (const std::runtime_error &) {
	}
}

int main()
{
	std::thread first(use), second(use);

	first.join();
	second.join();
	assert(tries == 2 && successes == 1);
	return 0;
}
