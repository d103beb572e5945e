// A race; between its accesses the streams of the library set up their locale.
#include <sstream>
#include <string>
#include <thread>

static int words;

static void count(const char *text)
{
	std::istringstream in(text);
	std::string word;

	while (in >> word)
		words++;
}

int main()
{
	std::thread one(count, "a"), two(count, "b");

	one.join();
	two.join();
}
