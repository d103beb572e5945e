#include "channel.h"

bool Channel::put(int value)
{
	std::unique_lock<std::mutex> lock(mutex_);

	changed_.wait(lock, [this] { return is_closed_ || values_.size() < capacity_; });
	if (is_closed_)
		return false;
	values_.push(value);
	changed_.notify_all();
	return true;
}

std::optional<int> Channel::take()
{
	std::unique_lock<std::mutex> lock(mutex_);

	changed_.wait(lock, [this] { return is_closed_ || !values_.empty(); });
	if (values_.empty())
		return std::nullopt;
	int value = values_.front();
	values_.pop();
	changed_.notify_all();
	return value;
}

void Channel::close()
{
	std::lock_guard<std::mutex> lock(mutex_);

	is_closed_ = true;
	changed_.notify_one();
}
