// A task that has not run when it is destroyed is run by the destructor of its base: too late, what
// there is to run is gone.
#include <atomic>
#include <thread>

struct Task {
	std::atomic<bool> &is_done;
	explicit Task(std::atomic<bool> &is_done) : is_done(is_done) {}
	virtual void run() = 0;
	virtual ~Task()
	{
		if (!is_done)
			finish(this);
	}
	__attribute__((noinline)) static void finish(Task *task) { task->run(); }
};

struct Once : Task {
	using Task::Task;
	void run() override { is_done = true; }
};

int main()
{
	std::atomic<bool> is_done{false};
	std::thread runner;
	{
		Once task(is_done);
		Once other(is_done);
		runner = std::thread([&] { is_done = true; });
		other.is_done.load();
	}
	runner.join();
}
