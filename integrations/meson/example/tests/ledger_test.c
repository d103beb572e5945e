/* Each test is a run of the program of its own: ledger_test NAME. */
#include "ledger.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct ledger ledger;
static struct journal journal;

static void *forth(void *unused)
{
	ledger_transfer(&ledger, 0, 1, 10);
	return unused;
}

static void *back(void *unused)
{
	ledger_transfer(&ledger, 1, 0, 10);
	return unused;
}

static void *close_account(void *unused)
{
	assert(ledger_close(&ledger, 1, 2) == LEDGER_DONE);
	return unused;
}

static void *audit(void *unused)
{
	assert(ledger_sum_exactly(&ledger) == 800);
	return unused;
}

/* Applies the records to balances of its own. */
static void *keep_books(void *balances)
{
	long *own = balances;
	struct record record;

	while (journal_take(&journal, &record)) {
		own[record.from] -= record.amount;
		own[record.to] += record.amount;
	}
	return NULL;
}

static void together(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

static void test_transfer(void)
{
	together(forth, back);
	assert(ledger_sum(&ledger) == 800);
}

static void test_statistics(void)
{
	together(forth, back);
	assert(atomic_load(&ledger.transfers) == 2);
}

/* A transfer comes before the account is closed, or is refused. */
static void test_closing(void)
{
	together(forth, close_account);
	assert(ledger.accounts[1].balance == 0 && ledger_sum(&ledger) == 800);
	assert(atomic_load(&ledger.transfers) + atomic_load(&ledger.refusals) == 1);
}

static void test_audit(void)
{
	together(forth, audit);
}

static void test_journal(void)
{
	long balances[LEDGER_ACCOUNTS] = {100, 100, 100, 100, 100, 100, 100, 100};
	pthread_t clerk;

	ledger.journal = &journal;
	pthread_create(&clerk, NULL, keep_books, balances);
	forth(NULL);
	forth(NULL);
	journal_close(&journal);
	pthread_join(clerk, NULL);
	for (int i = 0; i < LEDGER_ACCOUNTS; i++)
		assert(balances[i] == ledger.accounts[i].balance);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{"transfer", test_transfer}, {"statistics", test_statistics}, {"closing", test_closing},
	{"audit", test_audit}, {"journal", test_journal},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(tests) / sizeof(tests[0]); i++)
		if (strcmp(tests[i].name, argv[1]) == 0) {
			journal_init(&journal);
			ledger_init(&ledger, 100, NULL);
			tests[i].run();
			ledger_release(&ledger);
			journal_release(&journal);
			return 0;
		}
	fprintf(stderr, "usage: ledger_test transfer|statistics|closing|audit|journal\n");
	return 2;
}
