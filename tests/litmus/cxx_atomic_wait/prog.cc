// atomic::wait sleeps on a futex until notified; without the notification, for ever.
#include <atomic>
#include <thread>

static std::atomic<int> state;

int main()
{
	std::thread waiter([] { state.wait(0); });

	state.store(1);
#ifndef NO_NOTIFY
	state.notify_one();
#endif
	waiter.join();
	return 0;
}
