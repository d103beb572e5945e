// jthread with stop token, latch.
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

static std::latch started(2);
static int parts[2];

static void work(int number)
{
	parts[number] = 1;
	started.arrive_and_wait();
	assert(parts[0] + parts[1] == 2);
}

int main()
{
	{
		std::jthread first(work, 0), second(work, 1);
	}
	std::jthread stopped([](std::stop_token token) {
		while (!token.stop_requested())
			std::this_thread::yield();
	});
	stopped.request_stop();
	return 0;
}
