#include "task_pool.hpp"

// The bug is in enqueue(): the pool is asked whether it is stopping before the lock is
// taken. If it is stopped in between and the workers have gone, the task lies in the queue
// for ever, and so waits who holds its future. Compiled with -DFIXED it is asked under the
// lock, under which stop() sets the flag.

task_pool::task_pool(std::size_t count)
{
	for (std::size_t i = 0; i < count; i++)
		threads.emplace_back([this] { work(); });
}

task_pool::~task_pool()
{
	if (!is_stopping)
		stop();
}

void task_pool::stop()
{
	{
		std::lock_guard<std::mutex> guard(lock);
		is_stopping = true;
	}
	changed.notify_all();
	for (std::thread &thread : threads)
		thread.join();
}

void task_pool::enqueue(std::function<void()> task)
{
#ifdef FIXED
	{
		std::lock_guard<std::mutex> guard(lock);
		if (is_stopping)
			throw pool_stopped();
		tasks.push_back(std::move(task));
	}
#else
	if (is_stopping)
		throw pool_stopped();
	{
		std::lock_guard<std::mutex> guard(lock);
		tasks.push_back(std::move(task));
	}
#endif
	changed.notify_one();
}

bool task_pool::next_task(std::function<void()> &task)
{
	std::unique_lock<std::mutex> guard(lock);

	changed.wait(guard, [this] { return is_stopping || !tasks.empty(); });
	if (tasks.empty())
		return false;
	task = std::move(tasks.front());
	tasks.pop_front();
	return true;
}

void task_pool::work()
{
	std::function<void()> task;

	while (next_task(task)) {
		task();
		task = nullptr;
	}
}
