/*
 * Two statements lock the same two tables, each in the order in which it names them
 * (deadlock). -DFIXED: always in the order of the tables.
 */
#include "threads.h"

#define TABLES 3

static pthread_mutex_t tables[TABLES];
static int rows[TABLES];

static void *move_row(void *arg)
{
	int from = thread_number(arg) % TABLES, to = (from + 1) % TABLES;
	int first = from, second = to;

#ifdef FIXED
	first = from < to ? from : to;
	second = from < to ? to : from;
#endif
	pthread_mutex_lock(&tables[first]);
	pthread_mutex_lock(&tables[second]);
	rows[from]--;
	rows[to]++;
	pthread_mutex_unlock(&tables[second]);
	pthread_mutex_unlock(&tables[first]);
	return NULL;
}

int main(int argc, char **argv)
{
	struct threads threads = { .len = 0 };

	for (int n = 0; n < TABLES; n++)
		pthread_mutex_init(&tables[n], NULL);
	threads_start_many(&threads, move_row, arg_number(argc, argv, 1, 3));
	threads_join(&threads);
	return 0;
}
