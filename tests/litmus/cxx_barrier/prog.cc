// std::barrier: two phases, the completion runs once in each.
#include <barrier>
#include <cassert>
#include <thread>

static int completions;
static int values[2];

static void complete() noexcept
{
	completions++;
}

static std::barrier<void (*)() noexcept> phases(2, complete);

static void work(int number)
{
	values[number] = 1;
	phases.arrive_and_wait();
	assert(completions == 1 && values[1 - number] == 1);
}

int main()
{
	std::thread first(work, 0), second(work, 1);

	first.join();
	second.join();
	assert(completions == 1);
	return 0;
}
