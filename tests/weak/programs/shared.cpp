/* C++: a relaxed reference count frees what another thread still uses, unless the last decrement
 * acquires.
 *
 * rc11: proved
 * tso: proved
 * rc11 -DDROP=memory_order_relaxed: race
 */
#include <atomic>
#include <thread>

#ifndef DROP
#define DROP memory_order_acq_rel
#endif

struct shared {
	std::atomic<int> users{2};
	int value = 1;
};

static void use(shared *it)
{
	it->value |= it->users.load(std::memory_order_relaxed) > 99;
	if (it->users.fetch_sub(1, std::DROP) == 1)
		delete it;
}

static void only_drop(shared *it)
{
	if (it->users.fetch_sub(1, std::DROP) == 1)
		delete it;
}

int main()
{
	shared *it = new shared;
	std::thread first(use, it), second(only_drop, it);

	first.join();
	second.join();
	return 0;
}
