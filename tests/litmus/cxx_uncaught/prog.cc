// An exception leaves a thread on one schedule: std::terminate.
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> x;

static void look()
{
	int seen = x;

	if (seen == 1)
		throw std::runtime_error("seen too early");
}

int main()
{
	std::thread writer([] {
		x = 1;
		x = 2;
	});
	std::thread reader([] {
#ifdef FIXED
		try {
			look();
		} catch (const std::runtime_error &) {
		}
#else
		look();
#endif
	});

	writer.join();
	reader.join();
	return 0;
}
