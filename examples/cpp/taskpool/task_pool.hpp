// A pool of threads that run callables and give their results through futures.
//
// submit() may be called from any thread; after stop() it refuses with an exception. Tasks
// that were accepted are run, also those still queued when stop() is called.
#ifndef TASK_POOL_HPP
#define TASK_POOL_HPP

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

class pool_stopped : public std::runtime_error {
public:
	pool_stopped() : std::runtime_error("the pool does not take tasks any more") {}
};

class task_pool {
public:
	explicit task_pool(std::size_t threads);
	~task_pool();
	task_pool(const task_pool &) = delete;
	task_pool &operator=(const task_pool &) = delete;

	template <typename Callable>
	auto submit(Callable callable) -> std::future<decltype(callable())>;

	// Runs what was accepted, then joins all threads. May be called once.
	void stop();

private:
	void enqueue(std::function<void()> task);
	bool next_task(std::function<void()> &task);
	void work();

	std::mutex lock;
	std::condition_variable changed;
	std::deque<std::function<void()>> tasks;
	std::atomic<bool> is_stopping{ false };
	std::vector<std::thread> threads;
};

template <typename Callable>
auto task_pool::submit(Callable callable) -> std::future<decltype(callable())>
{
	using result = decltype(callable());
	auto task = std::make_shared<std::packaged_task<result()>>(std::move(callable));
	std::future<result> future = task->get_future();

	enqueue([task] { (*task)(); });
	return future;
}

#endif
