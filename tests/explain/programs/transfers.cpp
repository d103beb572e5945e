#include <mutex>
#include <thread>

struct Account { std::mutex lock; int balance = 100; };
static Account acc[2];

static void transfer(int from, int to, int amount)
{
	std::lock_guard<std::mutex> a(acc[from].lock);
	std::lock_guard<std::mutex> b(acc[to].lock);
	acc[from].balance -= amount;
	acc[to].balance += amount;
}

int main()
{
	std::thread t1(transfer, 0, 1, 10), t2(transfer, 1, 0, 20);
	t1.join();
	t2.join();
}
