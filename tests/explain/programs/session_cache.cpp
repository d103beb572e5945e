// A cache that hands out shared_ptr, but looks and inserts in two sections.
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct Session { std::string user; int hits = 0; };

class Cache {
public:
	std::shared_ptr<Session> get(const std::string &user)
	{
		{
			std::lock_guard<std::mutex> lock(m);
			auto it = sessions.find(user);
			if (it != sessions.end())
				return it->second;
		}
		auto fresh = std::make_shared<Session>();
		fresh->user = user;
		std::lock_guard<std::mutex> lock(m);
		sessions[user] = fresh;
		return fresh;
	}

private:
	std::mutex m;
	std::map<std::string, std::shared_ptr<Session>> sessions;
};

int main()
{
	Cache cache;
	std::shared_ptr<Session> a, b;
	std::thread t1([&] { a = cache.get("ann"); });
	std::thread t2([&] { b = cache.get("ann"); });
	t1.join();
	t2.join();
	assert(a == b);
}
