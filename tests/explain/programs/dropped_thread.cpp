// The thread is joined only if its result is missing.
#include <atomic>
#include <thread>

int main()
{
	std::atomic<int> result{0};
	std::thread worker([&] { result = 7; });

	if (result != 7)
		worker.join();
}
