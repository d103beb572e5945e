// A slot is given without a word to those who wait for one.
#include <atomic>
#include <thread>

static std::atomic<int> slots;

int main()
{
	std::thread guest([] {
		if (slots == 0)
			slots.wait(0);
	});

	slots = 1;
	guest.join();
}
