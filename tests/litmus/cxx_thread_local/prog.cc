// thread_local objects are made on first use and destroyed when their thread ends.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<int> alive;

struct counted {
	std::string name = "a name too long for the small buffer of a string";
	counted() { alive++; }
	~counted() { alive--; }
};

static thread_local counted mine;

static void use()
{
	mine.name += "!";
	assert(alive >= 1);
}

int main()
{
	std::thread first(use), second(use);

	first.join();
	second.join();
	assert(alive == 0);
	return 0;
}
