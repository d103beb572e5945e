#include "ledger.h"

enum { ACCOUNTS = 8 };

void ledger_init(struct ledger *ledger, long balance)
{
	for (int i = 0; i < ACCOUNTS; i++) {
		pthread_mutex_init(&ledger->accounts[i].lock, NULL);
		ledger->accounts[i].balance = balance;
	}
	atomic_init(&ledger->transfers, 0);
}

/* Always the account with the smaller number first, so that no two transfers wait for each other. */
static void lock_both(struct ledger *ledger, int a, int b)
{
	pthread_mutex_lock(&ledger->accounts[a < b ? a : b].lock);
	pthread_mutex_lock(&ledger->accounts[a < b ? b : a].lock);
}

static void unlock_both(struct ledger *ledger, int a, int b)
{
	pthread_mutex_unlock(&ledger->accounts[a].lock);
	pthread_mutex_unlock(&ledger->accounts[b].lock);
}

bool ledger_transfer(struct ledger *ledger, int from, int to, long amount)
{
	bool is_enough;

	lock_both(ledger, from, to);
	is_enough = ledger->accounts[from].balance >= amount;
	if (is_enough) {
		ledger->accounts[from].balance -= amount;
		ledger->accounts[to].balance += amount;
	}
	unlock_both(ledger, from, to);
	if (is_enough)
		atomic_store(&ledger->transfers, atomic_load(&ledger->transfers) + 1);
	return is_enough;
}

long ledger_sum(struct ledger *ledger)
{
	long sum = 0;

	for (int i = 0; i < ACCOUNTS; i++) {
		pthread_mutex_lock(&ledger->accounts[i].lock);
		sum += ledger->accounts[i].balance;
		pthread_mutex_unlock(&ledger->accounts[i].lock);
	}
	return sum;
}
