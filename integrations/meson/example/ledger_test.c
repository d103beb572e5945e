#include "ledger.h"

#include <assert.h>
#include <string.h>

static struct ledger ledger;

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

int main(int argc, char **argv)
{
	pthread_t a, b;

	ledger_init(&ledger, 100);
	pthread_create(&a, NULL, forth, NULL);
	pthread_create(&b, NULL, back, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (argc > 1 && strcmp(argv[1], "statistics") == 0)
		assert(atomic_load(&ledger.transfers) == 2);
	else
		assert(ledger_sum(&ledger) == 800);
	return 0;
}
