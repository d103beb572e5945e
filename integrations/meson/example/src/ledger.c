#include "ledger.h"

#include <string.h>

void ledger_init(struct ledger *ledger, long balance, struct journal *journal)
{
	memset(ledger, 0, sizeof(*ledger));
	for (int i = 0; i < LEDGER_ACCOUNTS; i++) {
		pthread_mutex_init(&ledger->accounts[i].lock, NULL);
		ledger->accounts[i].balance = balance;
	}
	atomic_init(&ledger->transfers, 0);
	atomic_init(&ledger->refusals, 0);
	ledger->journal = journal;
}

void ledger_release(struct ledger *ledger)
{
	for (int i = 0; i < LEDGER_ACCOUNTS; i++)
		pthread_mutex_destroy(&ledger->accounts[i].lock);
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

/* Both accounts are locked. */
static enum ledger_answer move(struct account *from, struct account *to, long amount)
{
	if (from->is_closed || to->is_closed)
		return LEDGER_CLOSED;
	if (from->balance < amount)
		return LEDGER_TOO_LITTLE;
	from->balance -= amount;
	to->balance += amount;
	return LEDGER_DONE;
}

static void count(struct ledger *ledger, enum ledger_answer answer)
{
	if (answer == LEDGER_DONE)
		atomic_store(&ledger->transfers, atomic_load(&ledger->transfers) + 1);
	else
		atomic_fetch_add(&ledger->refusals, 1);
}

enum ledger_answer ledger_transfer(struct ledger *ledger, int from, int to, long amount)
{
	enum ledger_answer answer;

	lock_both(ledger, from, to);
	answer = move(&ledger->accounts[from], &ledger->accounts[to], amount);
	unlock_both(ledger, from, to);
	count(ledger, answer);
	if (answer == LEDGER_DONE && ledger->journal)
		journal_add(ledger->journal, from, to, amount);
	return answer;
}

enum ledger_answer ledger_close(struct ledger *ledger, int account, int heir)
{
	struct account *closed = &ledger->accounts[account];
	enum ledger_answer answer;
	long rest;

	lock_both(ledger, account, heir);
	rest = closed->balance;
	answer = move(closed, &ledger->accounts[heir], rest);
	if (answer == LEDGER_DONE)
		closed->is_closed = true;
	unlock_both(ledger, account, heir);
	if (answer == LEDGER_DONE && ledger->journal)
		journal_add(ledger->journal, account, heir, rest);
	return answer;
}

long ledger_sum(struct ledger *ledger)
{
	long sum = 0;

	for (int i = 0; i < LEDGER_ACCOUNTS; i++) {
		pthread_mutex_lock(&ledger->accounts[i].lock);
		sum += ledger->accounts[i].balance;
		pthread_mutex_unlock(&ledger->accounts[i].lock);
	}
	return sum;
}

long ledger_sum_exactly(struct ledger *ledger)
{
	long sum = 0;

	for (int i = 0; i < LEDGER_ACCOUNTS; i++)
		pthread_mutex_lock(&ledger->accounts[i].lock);
	for (int i = 0; i < LEDGER_ACCOUNTS; i++)
		sum += ledger->accounts[i].balance;
	for (int i = 0; i < LEDGER_ACCOUNTS; i++)
		pthread_mutex_unlock(&ledger->accounts[i].lock);
	return sum;
}
