// A std::thread destroyed while joinable terminates the program.
#include <atomic>
#include <thread>

static std::atomic<int> is_done;

int main()
{
	std::thread worker([] { is_done = 1; });

	if (is_done)
		worker.join();
	return 0;
}
