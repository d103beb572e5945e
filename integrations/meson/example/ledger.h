/* A ledger: accounts with a lock each, and a count of the transfers that were made. */
#ifndef LEDGER_H
#define LEDGER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct account {
	pthread_mutex_t lock;
	long balance;
};

struct ledger {
	struct account accounts[8];
	atomic_long transfers;
};

void ledger_init(struct ledger *ledger, long balance);

/* False if the account does not have that much. */
bool ledger_transfer(struct ledger *ledger, int from, int to, long amount);

long ledger_sum(struct ledger *ledger);

#endif
