// The end of a file stream frees the number of its descriptor, which the other thread may get: the C++
// library calls fclose itself.
#include <cassert>
#include <fstream>
#include <thread>

static void write(int value)
{
	std::ofstream out("/dev/null");

	out << value;
	assert(out);
}

int main()
{
	std::thread one(write, 1), two(write, 2);

	one.join();
	two.join();
	return 0;
}
