// Handlers for std::terminate and for new may be set and asked for by two threads at once: the library guards them.
// CHECK: a thread asks for the handler that another may have set by then.
#include <cassert>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>

static void no_memory() { std::abort(); }

int main()
{
	auto first = std::get_terminate();
	std::thread thread([] {
		std::set_terminate(std::abort);
		std::set_new_handler(no_memory);
	});
	auto handler = std::get_new_handler();
	auto terminate = std::get_terminate();

	thread.join();
#ifdef CHECK
	assert(!handler);
#endif
	assert(!handler || terminate != first);
}
