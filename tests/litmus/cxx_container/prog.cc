// Two threads push into one vector.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> numbers;
static std::mutex lock;

static void push(int number)
{
#ifdef FIXED
	std::lock_guard<std::mutex> guard(lock);
#endif
	numbers.push_back(number);
}

int main()
{
	std::thread first(push, 1), second(push, 2);

	first.join();
	second.join();
	assert(numbers.size() == 2);
	return 0;
}
