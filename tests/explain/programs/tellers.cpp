#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

struct Account {
	std::mutex m;
	int balance = 100;
	int get() { std::lock_guard<std::mutex> g(m); return balance; }
	void withdraw(int n) { std::lock_guard<std::mutex> g(m); balance -= n; }
};

static void teller(Account &acc, int n)
{
	if (acc.get() >= n)
		acc.withdraw(n);
}

int main()
{
	Account acc;
	std::vector<std::thread> ts;
	for (int i = 0; i < 2; i++)
		ts.emplace_back(teller, std::ref(acc), 70);
	for (auto &t : ts)
		t.join();
	assert(acc.get() >= 0);
}
