/* C++: a local variable that is made at first use.
 *
 * tso: proved
 * rc11: proved
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> made{0};

struct thing {
	int value;
	thing() : value(7) { made.fetch_add(1, std::memory_order_relaxed); }
};

static void use()
{
	static thing it;

	assert(it.value == 7);
	assert(made.load(std::memory_order_relaxed) == 1);
}

int main()
{
	std::thread first(use), second(use);

	first.join();
	second.join();
	return 0;
}
