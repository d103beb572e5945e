// Three services lock their own registry and then that of the next one.
#include <mutex>
#include <thread>
#include <vector>

struct Service { std::mutex registry; int calls = 0; };

static void call(Service &self, Service &other)
{
	std::lock_guard<std::mutex> mine(self.registry);
	self.calls++;
	std::lock_guard<std::mutex> theirs(other.registry);
	other.calls++;
}

int main()
{
	std::vector<Service> services(3);
	std::vector<std::thread> threads;
	for (int i = 0; i < 3; i++)
		threads.emplace_back(call, std::ref(services[i]), std::ref(services[(i + 1) % 3]));
	for (auto &thread : threads)
		thread.join();
}
