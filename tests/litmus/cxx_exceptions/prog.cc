// Exceptions thrown and caught in two threads at once, locks released by unwinding.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex lock;
static int caught;

static void fail(int number)
{
	std::lock_guard<std::mutex> guard(lock);
	throw std::runtime_error(std::to_string(number));
}

static void run(int number)
{
	try {
		fail(number);
	} catch (const std::runtime_error &error) {
		assert(error.what() == std::to_string(number));
		std::lock_guard<std::mutex> guard(lock);
		caught++;
	}
}

int main()
{
	std::thread first(run, 1), second(run, 2);

	first.join();
	second.join();
	assert(caught == 2);
	return 0;
}
