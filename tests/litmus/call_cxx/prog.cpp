// Objects of the C++ library that two threads share: the library itself is not instrumented.
#include <array>
#include <cassert>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>

// Not static: what nobody else can read compilers leave out.
std::stringstream stream("1 2 3");
std::string text = "some text that is too long for the object itself", other;
std::map<int, int> tree;
std::list<int> numbers;
std::array<char, 48> bytes;
std::mutex lock;
int number;

static void first()
{
#if WHICH == 1
	int mine;
	stream >> mine;
#elif WHICH == 2
	text.append("more");
#elif WHICH == 3
	tree[1] = 1;
#elif WHICH == 4
	numbers.push_back(1);
#elif WHICH == 5
	bytes.fill(1);
#elif WHICH == 6
	std::locale::global(std::locale::classic());
#elif WHICH == 7
	std::cout << "one\n";
#else
	std::lock_guard<std::mutex> guard(lock);
	int mine;
	stream >> mine;
	text.append("more");
	tree[1] = 1;
	numbers.push_back(1);
	bytes.fill(1);
	std::cout << "one\n";
#endif
}

static void second()
{
#if WHICH == 1
	stream >> number;
#elif WHICH == 2
	other = text;
#elif WHICH == 3
	tree[2] = 1;
#elif WHICH == 4
	numbers.push_back(2);
#elif WHICH == 5
	bytes.fill(2);
#elif WHICH == 6
	std::locale::global(std::locale::classic());
#elif WHICH == 7
	std::cout << "two\n";
#else
	std::lock_guard<std::mutex> guard(lock);
	stream >> number;
	other = text;
	tree[2] = 1;
	numbers.push_back(2);
	bytes.fill(2);
	std::cout << "two\n";
#endif
}

int main()
{
	std::thread a(first), b(second);
	a.join();
	b.join();
}
