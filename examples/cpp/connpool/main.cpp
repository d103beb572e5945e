// Two clients share a database that allows one connection.
#include "connection_pool.hpp"

#include <cassert>
#include <iostream>
#include <thread>

// Stands for the far side, which counts who is connected and refuses the one too many.
class database {
public:
	class session : public connection {
	public:
		explicit session(database &to) : db(to)
		{
			assert(db.sessions.fetch_add(1) < db.sessions_max);
		}
		~session() override { db.sessions--; }
		std::string ask(const std::string &question) override
		{
			return question + "!";
		}

	private:
		database &db;
	};

	explicit database(int most) : sessions_max(most) {}

private:
	const int sessions_max;
	std::atomic<int> sessions{ 0 };
};

static void ask_once(connection_pool &pool)
{
	auto lease = pool.acquire();

	assert(lease->ask("hello") == "hello!");
}

int main()
{
	database db(1);
	{
		connection_pool pool([&db] { return std::make_unique<database::session>(db); }, 1);
		std::thread other([&pool] { ask_once(pool); });

		ask_once(pool);
		other.join();
		assert(pool.opened_count() == 1);
	}
	std::cout << "asked\n";
	return 0;
}
