#include "connection_pool.hpp"

#include <utility>

// The bug is in may_open(): the limit is compared in one step and the count raised in the
// next, so two threads can both take the last place. Compiled with -DFIXED the place is
// taken by compare-and-swap.

connection_pool::lease::lease(connection_pool &from, std::unique_ptr<connection> taken)
	: pool(&from), held(std::move(taken))
{
}

connection_pool::lease::~lease()
{
	if (held)
		pool->give_back(std::move(held));
}

connection_pool::connection_pool(opener how, int most) : open(std::move(how)), limit(most)
{
}

std::unique_ptr<connection> connection_pool::take_idle()
{
	std::lock_guard<std::mutex> guard(lock);
	std::unique_ptr<connection> taken;

	if (!idle.empty()) {
		taken = std::move(idle.back());
		idle.pop_back();
	}
	return taken;
}

std::unique_ptr<connection> connection_pool::wait_for_idle()
{
	std::unique_lock<std::mutex> guard(lock);
	std::unique_ptr<connection> taken;

	came_back.wait(guard, [this] { return !idle.empty(); });
	taken = std::move(idle.back());
	idle.pop_back();
	return taken;
}

bool connection_pool::may_open()
{
#ifdef FIXED
	int count = opened;

	while (count < limit)
		if (opened.compare_exchange_strong(count, count + 1))
			return true;
	return false;
#else
	if (opened >= limit)
		return false;
	opened++;
	return true;
#endif
}

connection_pool::lease connection_pool::acquire()
{
	std::unique_ptr<connection> taken = take_idle();

	if (!taken)
		taken = may_open() ? open() : wait_for_idle();
	return lease(*this, std::move(taken));
}

void connection_pool::give_back(std::unique_ptr<connection> used)
{
	{
		std::lock_guard<std::mutex> guard(lock);
		idle.push_back(std::move(used));
	}
	came_back.notify_one();
}
