// call_once runs load(), which calls a function that again needs the same flag.
#include <mutex>
#include <thread>
#include <atomic>

static std::once_flag loaded;
static std::mutex list_lock;
static int entries;

static void load()
{
	std::lock_guard<std::mutex> hold(list_lock);
	entries = 3;
}

static int size()
{
	std::lock_guard<std::mutex> hold(list_lock);
	std::call_once(loaded, load);
	return entries;
}

static int first()
{
	std::call_once(loaded, [] { std::lock_guard<std::mutex> hold(list_lock); entries = 3; });
	return entries;
}

int main()
{
	std::thread a(first), b([] { size(); });
	a.join();
	b.join();
}
