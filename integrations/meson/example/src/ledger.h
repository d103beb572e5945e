/* A ledger: accounts with a lock each, counts of what was done, and a journal that a clerk writes. */
#ifndef LEDGER_H
#define LEDGER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "journal.h"

enum { LEDGER_ACCOUNTS = 8 };

struct account {
	pthread_mutex_t lock;
	long balance;
	bool is_closed;
};

struct ledger {
	struct account accounts[LEDGER_ACCOUNTS];
	atomic_long transfers, refusals;
	struct journal *journal; /* NULL: nothing is recorded */
};

enum ledger_answer { LEDGER_DONE, LEDGER_TOO_LITTLE, LEDGER_CLOSED };

void ledger_init(struct ledger *ledger, long balance, struct journal *journal);
void ledger_release(struct ledger *ledger);

enum ledger_answer ledger_transfer(struct ledger *ledger, int from, int to, long amount);

/* Moves the rest to another account, and refuses transfers from then on. */
enum ledger_answer ledger_close(struct ledger *ledger, int account, int heir);

/* Of all accounts, locked one after the other: transfers go on meanwhile. */
long ledger_sum(struct ledger *ledger);

/* Of all accounts at one moment. */
long ledger_sum_exactly(struct ledger *ledger);

#endif
