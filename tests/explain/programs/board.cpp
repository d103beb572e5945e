#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <thread>

struct Job { std::string name; bool done = false; };

class Board {
	std::mutex guard;
	std::list<Job> jobs;
public:
	void add(std::string name) { std::lock_guard l(guard); jobs.push_back({std::move(name)}); }
	Job *next() {
		std::lock_guard l(guard);
		for (auto &job : jobs)
			if (!job.done)
				return &job;
		return nullptr;
	}
	void finish(Job *job) { job->done = true; }
	void sweep() {
		std::lock_guard l(guard);
		jobs.remove_if([](const Job &j) { return j.done; });
	}
};

int main() {
	Board board;
	board.add("a");
	std::thread worker([&] { if (Job *job = board.next()) board.finish(job); });
	std::thread sweeper([&] { board.sweep(); });
	worker.join();
	sweeper.join();
}
