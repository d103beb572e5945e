#include <barrier>
#include <latch>
#include <thread>
#include <vector>

int main()
{
	std::latch ready(3);
	std::vector<std::thread> workers;

	for (int i = 0; i < 2; i++)
		workers.emplace_back([&] { ready.count_down(); });
	ready.wait();
	for (auto &worker : workers)
		worker.join();
}
