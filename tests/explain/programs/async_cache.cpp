/* A cache that looks and fills in two critical sections, used by two threads of std::async. */
#include <cassert>
#include <future>
#include <map>
#include <mutex>
#include <string>

class cache {
	std::mutex guard;
	std::map<std::string, int> values;
	int computed = 0;

public:
	int get(const std::string &key)
	{
		{
			std::lock_guard<std::mutex> look(guard);
			auto found = values.find(key);
			if (found != values.end())
				return found->second;
		}
		int value = (int)key.size();
		std::lock_guard<std::mutex> fill(guard);
		values[key] = value;
		computed++;
		return value;
	}

	int count()
	{
		std::lock_guard<std::mutex> look(guard);
		return computed;
	}
};

int main()
{
	cache c;
	auto a = std::async(std::launch::async, [&] { return c.get("key"); });
	auto b = std::async(std::launch::async, [&] { return c.get("key"); });

	a.get();
	b.get();
	assert(c.count() == 1);
}
