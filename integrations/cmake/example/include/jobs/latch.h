// A latch opens when it has been counted down to zero, and stays open.
#pragma once

#include <condition_variable>
#include <mutex>

namespace jobs {

class Latch {
public:
	explicit Latch(int count) : left_(count) {}

	void count_down()
	{
		std::lock_guard<std::mutex> lock(mutex_);

		if (left_ > 0 && --left_ == 0)
			opened_.notify_all();
	}

	void wait()
	{
		std::unique_lock<std::mutex> lock(mutex_);

		opened_.wait(lock, [this] { return left_ == 0; });
	}

	bool is_open() const
	{
		std::lock_guard<std::mutex> lock(mutex_);

		return left_ == 0;
	}

private:
	mutable std::mutex mutex_;
	std::condition_variable opened_;
	int left_;
};

} // namespace jobs
