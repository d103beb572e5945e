// A connection is closed while a request still uses it.
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

struct Connection {
	int fd = 3;
	std::atomic<int> users{0};
};

struct Server {
	std::mutex m;
	Connection *conn = new Connection;

	void request()
	{
		Connection *c;
		{
			std::lock_guard<std::mutex> g(m);
			c = conn;
		}
		if (c) {
			c->users++;
			c->users--;
		}
	}

	void close()
	{
		std::lock_guard<std::mutex> g(m);
		if (conn && conn->users == 0) {
			delete conn;
			conn = nullptr;
		}
	}
};

int main()
{
	Server s;
	std::thread r(&Server::request, &s), c(&Server::close, &s);
	r.join();
	c.join();
}
