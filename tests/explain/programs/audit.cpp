// Accounts on the heap, transfer locks both, the audit does not.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Account {
public:
	explicit Account(int amount) : balance(amount) {}
	void deposit(int n) { std::lock_guard<std::mutex> g(lock); balance += n; }
	void withdraw(int n) { std::lock_guard<std::mutex> g(lock); balance -= n; }
	int get() { std::lock_guard<std::mutex> g(lock); return balance; }

private:
	std::mutex lock;
	int balance;
};

struct Bank {
	std::vector<std::unique_ptr<Account>> accounts;

	void transfer(int from, int to, int n)
	{
		accounts[from]->withdraw(n);
		accounts[to]->deposit(n);
	}

	int total()
	{
		int sum = 0;
		for (auto &account : accounts)
			sum += account->get();
		return sum;
	}
};

int main()
{
	Bank bank;
	bank.accounts.push_back(std::make_unique<Account>(100));
	bank.accounts.push_back(std::make_unique<Account>(50));
	std::thread mover([&] { bank.transfer(0, 1, 30); });
	std::thread auditor([&] { assert(bank.total() == 150); });
	mover.join();
	auditor.join();
}
