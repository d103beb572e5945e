// A pool that waits for a connection once: another client may take it before the waiter wakes up.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Connection {
	int queries = 0;
	void query() { queries++; }
};

class Pool {
	std::mutex mutex_;
	std::condition_variable available_;
	std::vector<std::unique_ptr<Connection>> idle_;

public:
	Pool() { idle_.push_back(std::make_unique<Connection>()); }

	std::unique_ptr<Connection> acquire()
	{
		std::unique_lock<std::mutex> guard(mutex_);
		if (idle_.empty())
			available_.wait(guard);
		auto c = std::move(idle_.back());
		idle_.pop_back();
		return c;
	}

	void release(std::unique_ptr<Connection> c)
	{
		std::lock_guard<std::mutex> guard(mutex_);
		idle_.push_back(std::move(c));
		available_.notify_one();
	}
};

int main()
{
	Pool pool;
	std::vector<std::thread> clients;

	for (int i = 0; i < 3; i++)
		clients.emplace_back([&pool] {
			auto c = pool.acquire();
			c->query();
			pool.release(std::move(c));
		});
	for (auto &client : clients)
		client.join();
}
