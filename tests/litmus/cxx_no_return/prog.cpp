// A function without its return, whose value nobody uses: wrong, but it runs with plain c++,
// and no schedule changes that.
#include <thread>

static int count;

static int note(int by)
{
	if (by)
		count += by;
}

int main()
{
	std::thread thread([] { note(2); });

	thread.join();
	return count == 2 ? 0 : 1;
}
