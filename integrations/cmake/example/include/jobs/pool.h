// A pool of threads that run jobs. The destructor runs the jobs that were submitted, then stops.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "jobs/channel.h"
#include "jobs/meter.h"

namespace jobs {

class Pool {
public:
	using Job = std::function<void()>;

	Pool(unsigned threads, std::size_t capacity);
	~Pool();

	Pool(const Pool &) = delete;
	Pool &operator=(const Pool &) = delete;

	// Waits while as many jobs as the capacity are waiting. False after stop().
	bool submit(Job job);

	// No new jobs; returns when all threads have ended.
	void stop();

	const Meter &meter() const { return meter_; }

private:
	void work();

	Channel<Job> jobs_;
	Meter meter_;
	std::vector<std::thread> threads_;
};

} // namespace jobs
