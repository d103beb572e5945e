// Counts jobs: how many are waiting, how many run, how many ended well or badly.
#pragma once

#include <atomic>
#include <string>

namespace jobs {

class Meter {
public:
	void submitted();
	void started();
	void ended(bool well);

	long waiting() const { return waiting_.load(); }
	long running() const { return running_.load(); }
	long done() const { return done_.load(); }
	long failed() const { return failed_.load(); }

	// The largest number of jobs that ran at the same time.
	long peak() const { return peak_.load(); }

	std::string text() const;

private:
	std::atomic<long> waiting_{0}, running_{0}, done_{0}, failed_{0}, peak_{0};
};

} // namespace jobs
