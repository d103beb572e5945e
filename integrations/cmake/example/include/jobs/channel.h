// A channel: threads put values in, other threads take them out, close() ends all waiting.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <queue>
#include <utility>

namespace jobs {

template <typename T> class Channel {
public:
	explicit Channel(std::size_t capacity) : capacity_(capacity) {}

	Channel(const Channel &) = delete;
	Channel &operator=(const Channel &) = delete;

	// Waits while the channel is full. False if it is closed; the value is then lost.
	bool put(T value)
	{
		std::unique_lock<std::mutex> lock(mutex_);

		changed_.wait(lock, [this] { return is_closed_ || values_.size() < capacity_; });
		if (is_closed_)
			return false;
		values_.push(std::move(value));
		changed_.notify_all();
		return true;
	}

	// Puts the value in only if that is possible at once.
	bool try_put(T value)
	{
		std::lock_guard<std::mutex> lock(mutex_);

		if (is_closed_ || values_.size() >= capacity_)
			return false;
		values_.push(std::move(value));
		changed_.notify_all();
		return true;
	}

	// Waits while the channel is empty. Nothing if it is empty and closed.
	std::optional<T> take()
	{
		std::unique_lock<std::mutex> lock(mutex_);

		changed_.wait(lock, [this] { return is_closed_ || !values_.empty(); });
		if (values_.empty())
			return std::nullopt;
		T value = std::move(values_.front());
		values_.pop();
		changed_.notify_all();
		return value;
	}

	// Nobody waits any more: put fails, take empties the channel.
	void close()
	{
		std::lock_guard<std::mutex> lock(mutex_);

		is_closed_ = true;
		changed_.notify_one();
	}

	std::size_t size() const
	{
		std::lock_guard<std::mutex> lock(mutex_);

		return values_.size();
	}

private:
	mutable std::mutex mutex_;
	std::condition_variable changed_;
	std::queue<T> values_;
	const std::size_t capacity_;
	bool is_closed_ = false;
};

} // namespace jobs
