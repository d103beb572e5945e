#include "async_logger.hpp"

#include <utility>

// The bug is in flush(): it waits until no line is pending, but lines that the writer has
// taken and not yet written are not pending any more. Compiled with -DFIXED it waits for
// the writer, too. It hardly shows, because who logs and flushes at once comes long before
// the writer has woken up, and is then woken only when all is written.

async_logger::async_logger(log_sink &to) : sink(to), writer([this] { run(); })
{
}

async_logger::~async_logger()
{
	{
		std::lock_guard<std::mutex> guard(lock);
		is_stopping = true;
	}
	has_lines.notify_one();
	writer.join();
}

void async_logger::log(std::string line)
{
	{
		std::lock_guard<std::mutex> guard(lock);
		pending.push_back(std::move(line));
	}
	has_lines.notify_one();
}

void async_logger::flush()
{
	std::unique_lock<std::mutex> guard(lock);

#ifdef FIXED
	is_flushed.wait(guard, [this] { return pending.empty() && !is_writing; });
#else
	is_flushed.wait(guard, [this] { return pending.empty(); });
#endif
}

// Returns false when the logger stops and nothing is left.
bool async_logger::take_pending(std::vector<std::string> &lines)
{
	std::unique_lock<std::mutex> guard(lock);

	has_lines.wait(guard, [this] { return is_stopping || !pending.empty(); });
	if (pending.empty())
		return false;
	lines.swap(pending);
	is_writing = true;
	return true;
}

void async_logger::write_lines(const std::vector<std::string> &lines)
{
	for (const std::string &line : lines)
		sink.write(line);
	{
		std::lock_guard<std::mutex> guard(lock);
		is_writing = false;
	}
	is_flushed.notify_all();
}

void async_logger::run()
{
	std::vector<std::string> lines;

	while (take_pending(lines)) {
		write_lines(lines);
		lines.clear();
	}
}
