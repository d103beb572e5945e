/* Steps taken inside the C++ library: reports must speak of the lines below. */
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

static std::mutex door;
static std::condition_variable bell, seated;
static bool waiting;
static int guests, seats;

static void enter()
{
	{
		std::lock_guard<std::mutex> through(door);
		guests++;
	}
	seats++; /* not under the lock */
}

static void wait_for_two()
{
	std::unique_lock<std::mutex> through(door);
	waiting = true;
	seated.notify_one();
	while (guests < 2)
		bell.wait(through); /* woken once, and waits again */
}

static void wake_once()
{
	std::unique_lock<std::mutex> through(door);
	while (!waiting)
		seated.wait(through);
	guests = 1;
	bell.notify_one();
}

int main(int argc, char **argv)
{
	bool race = argc > 1 && strcmp(argv[1], "race") == 0;
	std::thread one(race ? enter : wait_for_two), two(race ? enter : wake_once);

	one.join();
	two.join();
}
