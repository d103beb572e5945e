// A pool that is told to stop without its mutex: the signal may come between the look and the wait.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

class Workers {
	std::queue<std::function<void()>> jobs;
	std::mutex mutex;
	std::condition_variable changed;
	std::atomic<bool> stopping{false};
	std::thread thread;

	void run()
	{
		for (;;) {
			std::function<void()> job;
			{
				std::unique_lock<std::mutex> guard(mutex);
				changed.wait(guard, [this] { return stopping || !jobs.empty(); });
				if (jobs.empty())
					return;
				job = std::move(jobs.front());
				jobs.pop();
			}
			job();
		}
	}

public:
	Workers() { thread = std::thread([this] { run(); }); }
	// clang-format off: a line that names a lock and a condition
	void submit(std::function<void()> job) { { std::lock_guard<std::mutex> guard(mutex); jobs.push(std::move(job)); } changed.notify_one(); }
	// clang-format on
	~Workers()
	{
		stopping = true;
		changed.notify_all();
		thread.join();
	}
};

int main()
{
	int done = 0;
#ifdef ON_THE_HEAP
	auto workers = std::make_unique<Workers>();
	workers->submit([&done] { done++; });
#else
	Workers workers;
	workers.submit([&done] { done++; });
#endif
}
