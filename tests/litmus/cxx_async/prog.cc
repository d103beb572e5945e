// std::async and packaged_task run in threads of their own; results come through futures.
#include <cassert>
#include <future>
#include <thread>

static int twice(int n)
{
	return 2 * n;
}

int main()
{
	std::future<int> first = std::async(std::launch::async, twice, 3);
	std::packaged_task<int(int)> task(twice);
	std::future<int> second = task.get_future();
	std::thread runner(std::move(task), 4);

	assert(first.get() + second.get() == 14);
	runner.join();
	return 0;
}
