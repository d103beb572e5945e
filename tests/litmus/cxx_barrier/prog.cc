// std::barrier: two phases, the completion runs once in each. -DSTATIC: in libstdc++ 16 a static
// barrier is initialised by the compiler, and the first arrival allocates its state. The other
// thread loads the pointer to that state with memory_order_relaxed, so nothing orders the
// initialisation of the state before the use of it.
#include <barrier>
#include <cassert>
#include <thread>

static int completions;
static int values[2];

static void complete() noexcept
{
	completions++;
}

using barrier = std::barrier<void (*)() noexcept>;

#ifdef STATIC
static barrier fixed(2, complete);
static barrier *const phases = &fixed;
#else
static barrier *phases;
#endif

static void work(int number)
{
	values[number] = 1;
	phases->arrive_and_wait();
	assert(completions == 1 && values[1 - number] == 1);
}

int main()
{
#ifndef STATIC
	barrier own(2, complete);

	phases = &own;
#endif
	std::thread first(work, 0), second(work, 1);

	first.join();
	second.join();
	assert(completions == 1);
	return 0;
}
