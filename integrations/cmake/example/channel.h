// A channel: threads put numbers in, other threads take them out, close() ends all waiting.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <queue>

class Channel {
public:
	explicit Channel(std::size_t capacity) : capacity_(capacity) {}

	// Waits while the channel is full. False if it is closed.
	bool put(int value);

	// Waits while the channel is empty. Nothing if it is empty and closed.
	std::optional<int> take();

	// Nobody waits any more: put fails, take empties the channel.
	void close();

private:
	std::mutex mutex_;
	std::condition_variable changed_;
	std::queue<int> values_;
	std::size_t capacity_;
	bool is_closed_ = false;
};
