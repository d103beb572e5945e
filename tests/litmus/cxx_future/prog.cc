// A promise carries a value and an exception to the future; one never kept blocks it.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

static void keep(std::promise<int> &value, std::promise<void> &failure)
{
#ifndef NEVER_SET
	value.set_value(42);
#else
	(void)value;
#endif
	failure.set_exception(std::make_exception_ptr(std::runtime_error("failed")));
}

int main()
{
	std::promise<int> value;
	std::promise<void> failure;
	std::future<int> value_future = value.get_future();
	std::future<void> failure_future = failure.get_future();
	std::thread keeper([&] { keep(value, failure); });
	bool caught = false;

	assert(value_future.get() == 42);
	try {
		failure_future.get();
	} catch (const std::runtime_error &) {
		caught = true;
	}
	assert(caught);
	keeper.join();
	return 0;
}
