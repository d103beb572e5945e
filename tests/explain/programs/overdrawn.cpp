/* A balance that is tested and changed in two steps. */
#include <atomic>
#include <cassert>
#include <thread>

struct account {
	std::atomic<int> balance{100};

	bool withdraw(int amount)
	{
		if (balance < amount)
			return false;
		balance -= amount;
		return true;
	}
};

int main()
{
	account a;
	std::thread other([&] { a.withdraw(80); });

	a.withdraw(70);
	other.join();
	assert(a.balance.load() >= 0);
}
