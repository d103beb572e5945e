// A pool whose workers leave as soon as they see the stop flag, with jobs still queued.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

class Pool {
public:
	Pool() : worker_([this] { run(); }) {}
	~Pool()
	{
		{
			std::unique_lock<std::mutex> hold(lock_);
			stop_ = true;
		}
		wake_.notify_all();
		worker_.join();
	}
	void add(std::function<void()> job)
	{
		std::unique_lock<std::mutex> hold(lock_);
		jobs_.push_back(std::move(job));
		wake_.notify_one();
	}

private:
	void run()
	{
		for (;;) {
			std::function<void()> job;
			{
				std::unique_lock<std::mutex> hold(lock_);
				wake_.wait(hold, [this] { return stop_ || !jobs_.empty(); });
				if (stop_)
					return;
				job = std::move(jobs_.front());
				jobs_.pop_front();
			}
			job();
		}
	}
	std::mutex lock_;
	std::condition_variable wake_;
	std::deque<std::function<void()>> jobs_;
	bool stop_ = false;
	std::thread worker_;
};

int main()
{
	int mails = 0;
	{
		Pool pool;
		pool.add([&] { mails++; });
	}
	if (mails != 1) {
		printf("mails sent: %d\n", mails);
		return 1;
	}
	return 0;
}
