#include <cassert>
#include <future>
#include <mutex>

struct Stock {
	std::mutex m;
	int left = 1;
	bool available() { std::lock_guard<std::mutex> g(m); return left > 0; }
	void buy() { std::lock_guard<std::mutex> g(m); left--; }
};

int main()
{
	Stock stock;
	auto order = [&] { if (stock.available()) { stock.buy(); return true; } return false; };
	auto a = std::async(std::launch::async, order);
	auto b = std::async(std::launch::async, order);
	bool first = a.get(), second = b.get();
	assert(!(first && second));
}
