// jthread with stop token, latch, barrier, counting_semaphore.
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::latch started(2);
static std::counting_semaphore<2> permits(1);
static int guarded;

static void work()
{
	started.arrive_and_wait();
	permits.acquire();
	guarded++;
	permits.release();
}

int main()
{
	{
		std::jthread first(work), second(work);
	}
	assert(guarded == 2);
	std::jthread stopped([](std::stop_token token) {
		while (!token.stop_requested())
			std::this_thread::yield();
	});
	stopped.request_stop();
	return 0;
}
