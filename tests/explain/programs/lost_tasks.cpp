// A thread pool whose shutdown loses tasks.
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

class ThreadPool {
public:
	explicit ThreadPool(int n)
	{
		for (int i = 0; i < n; i++)
			workers.emplace_back([this] { work(); });
	}

	~ThreadPool()
	{
		{
			std::lock_guard<std::mutex> guard(mutex);
			stopping = true;
		}
		changed.notify_all();
		for (auto &worker : workers)
			worker.join();
	}

	void submit(std::function<void()> task)
	{
		{
			std::lock_guard<std::mutex> guard(mutex);
			tasks.push(std::move(task));
		}
		changed.notify_one();
	}

private:
	void work()
	{
		for (;;) {
			std::unique_lock<std::mutex> guard(mutex);
			changed.wait(guard, [this] { return stopping || !tasks.empty(); });
			if (stopping)
				return;
			auto task = std::move(tasks.front());
			tasks.pop();
			guard.unlock();
			task();
		}
	}

	std::mutex mutex;
	std::condition_variable changed;
	std::queue<std::function<void()>> tasks;
	std::vector<std::thread> workers;
	bool stopping = false;
};

int main()
{
	std::mutex m;
	int done = 0;
	{
		ThreadPool pool(2);
		for (int i = 0; i < 2; i++)
			pool.submit([&] { std::lock_guard<std::mutex> guard(m); done++; });
	}
	assert(done == 2);
}
