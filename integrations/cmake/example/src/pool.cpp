#include "jobs/pool.h"

#include <exception>
#include <utility>

namespace jobs {

Pool::Pool(unsigned threads, std::size_t capacity) : jobs_(capacity)
{
	threads_.reserve(threads);
	for (unsigned i = 0; i < threads; i++)
		threads_.emplace_back([this] { work(); });
}

Pool::~Pool()
{
	stop();
}

bool Pool::submit(Job job)
{
	meter_.submitted();
	return jobs_.put(std::move(job));
}

void Pool::stop()
{
	jobs_.close();
	for (std::thread &thread : threads_)
		if (thread.joinable())
			thread.join();
}

// A job that throws has failed; the thread goes on with the next one.
void Pool::work()
{
	while (std::optional<Job> job = jobs_.take()) {
		bool well = true;

		meter_.started();
		try {
			(*job)();
		} catch (const std::exception &) {
			well = false;
		}
		meter_.ended(well);
	}
}

} // namespace jobs
