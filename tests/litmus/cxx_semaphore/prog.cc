// counting_semaphore. Before libstdc++ 16 acquire() may sleep for ever: it waits for a change
// from a value it read before it tried in vain, and does not see a release since.
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> permits(1);
static int guarded;

static void work()
{
	permits.acquire();
	guarded++;
	permits.release();
}

int main()
{
	std::thread first(work), second(work);

	first.join();
	second.join();
	return guarded == 2 ? 0 : 1;
}
