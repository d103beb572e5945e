// A client asks for a square while the pool is being stopped: it gets the square or is
// refused, but it must get an answer.
#include "task_pool.hpp"

#include <cassert>
#include <iostream>

static int ask_for_square(task_pool &pool, int number)
{
	try {
		return pool.submit([number] { return number * number; }).get();
	} catch (const pool_stopped &) {
		return -1;
	}
}

int main()
{
	task_pool pool(1);
	int answer = 0;
	std::thread client([&] { answer = ask_for_square(pool, 7); });

	assert(ask_for_square(pool, 3) == 9);
	pool.stop();
	client.join();
	assert(answer == 49 || answer == -1);
	std::cout << "answered\n";
	return 0;
}
