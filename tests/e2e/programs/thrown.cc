/* Exceptions that nobody catches, if two threads have counted at once. */
#include <atomic>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

struct Broken : std::runtime_error {
	using std::runtime_error::runtime_error;
};

static std::atomic<int> sum{0};

static void add()
{
	int seen = sum.load();

	sum.store(seen + 1);
}

static void judge(int sum)
{
	if (sum == 1)
		throw Broken("it came to " + std::to_string(sum)); /* thrown */
}

static void look()
{
	judge(sum.load()); /* thread */
}

static void pass_on()
{
	try {
		judge(sum.load());
	} catch (const std::exception &) {
		throw; /* again */
	}
}

static void leave()
{
	if (sum.load() == 1)
	{
		std::thread left(add);
	} /* joinable */
}

int main(int argc, char **argv)
{
	const char *deed = argc > 1 ? argv[1] : "main";
	std::thread first(add), second(add);

	first.join();
	second.join();
	if (strcmp(deed, "thread") == 0)
		std::thread(look).join();
	else if (strcmp(deed, "again") == 0)
		pass_on();
	else if (strcmp(deed, "joinable") == 0)
		leave();
	else if (strcmp(deed, "number") == 0 && sum.load() == 1)
		throw 42; /* number */
	else
		judge(sum.load()); /* main */
	return 0;
}
