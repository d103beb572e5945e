// A pool of connections: opened when needed, up to a limit, and used again.
//
// acquire() gives a lease; the connection goes back to the pool when the lease dies. If all
// are out and the limit is reached, acquire() waits for one to come back.
#ifndef CONNECTION_POOL_HPP
#define CONNECTION_POOL_HPP

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

class connection {
public:
	virtual ~connection() = default;
	virtual std::string ask(const std::string &question) = 0;
};

class connection_pool {
public:
	using opener = std::function<std::unique_ptr<connection>()>;

	class lease {
	public:
		lease(connection_pool &pool, std::unique_ptr<connection> held);
		lease(lease &&other) = default;
		~lease();
		connection *operator->() const { return held.get(); }

	private:
		connection_pool *pool;
		std::unique_ptr<connection> held;
	};

	connection_pool(opener open, int limit);
	lease acquire();
	int opened_count() const { return opened; }

private:
	std::unique_ptr<connection> take_idle();
	std::unique_ptr<connection> wait_for_idle();
	bool may_open();
	void give_back(std::unique_ptr<connection> used);

	const opener open;
	const int limit;
	std::atomic<int> opened{ 0 };
	std::mutex lock;
	std::condition_variable came_back;
	std::vector<std::unique_ptr<connection>> idle;
};

#endif
