/* A lost update, in a program that draws a random number from a stream of C++. */
#include <atomic>
#include <cassert>
#include <fstream>
#include <iostream>
#include <thread>

static std::atomic<int> x;

static void work()
{
	int seen = x.load();

	x.store(seen + 1);
}

int main()
{
	std::ifstream device("/dev/urandom", std::ios::binary);
	unsigned long drawn = 0;

	device.read(reinterpret_cast<char *>(&drawn), sizeof(drawn));
	std::cout << "drawn " << drawn << std::endl;
	std::thread one(work), two(work);
	one.join();
	two.join();
	assert(x.load() == 2);
}
