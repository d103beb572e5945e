// A logger whose callers never wait for the disk: they append to a buffer, a thread of its
// own swaps that for an empty one and writes it out.
//
// flush() returns when everything logged before it has been written to the sink.
#ifndef ASYNC_LOGGER_HPP
#define ASYNC_LOGGER_HPP

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

// Where lines end up. Called by one thread at a time.
class log_sink {
public:
	virtual ~log_sink() = default;
	virtual void write(const std::string &line) = 0;
};

class async_logger {
public:
	explicit async_logger(log_sink &sink);
	~async_logger();
	async_logger(const async_logger &) = delete;
	async_logger &operator=(const async_logger &) = delete;

	void log(std::string line);
	void flush();

private:
	bool take_pending(std::vector<std::string> &lines);
	void write_lines(const std::vector<std::string> &lines);
	void run();

	log_sink &sink;
	std::mutex lock;
	std::condition_variable has_lines;
	std::condition_variable is_flushed;
	std::vector<std::string> pending;
	bool is_writing = false;
	bool is_stopping = false;
	std::thread writer;
};

#endif
