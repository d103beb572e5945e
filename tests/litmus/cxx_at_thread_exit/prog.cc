// A promise that is kept at the end of a thread. POLL: main looks once whether it has been; else it waits. Whoever
// gets the value comes behind the thread's local variables. GONE: nobody has the future any more.
#include <atomic>
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

static int ended; // plain: the future orders it

struct Local {
	char used;
	~Local() { ended = 1; }
};

int main()
{
	auto kept = std::make_shared<std::promise<int>>();
	auto future = kept->get_future();
	std::thread thread([kept] {
		thread_local Local local;
		*static_cast<volatile char *>(&local.used) = 1;
		kept->set_value_at_thread_exit(7);
	});

	kept = nullptr;
#if defined(POLL)
	auto status = future.wait_for(std::chrono::seconds(0));
	thread.join();
	assert((status == std::future_status::ready) == READY);
#elif defined(GONE)
	future = {};
	thread.join();
#else
	assert(future.get() == 7);
	assert(ended == 1);
	thread.join();
#endif
}
