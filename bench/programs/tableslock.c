/*
 * Two statements of a database lock the same two tables, each in the order in which it names
 * them (deadlock); other statements lock only one of them. -DFIXED: always in the order of the
 * tables.
 */
#include "threads.h"

#define TABLES 2

static pthread_mutex_t tables[TABLES];
static int rows[TABLES];

/* INSERT INTO tables[0] SELECT … FROM tables[1] */
static void insert_select(void)
{
	pthread_mutex_lock(&tables[0]);
	pthread_mutex_lock(&tables[1]);
	rows[0] += rows[1];
	pthread_mutex_unlock(&tables[1]);
	pthread_mutex_unlock(&tables[0]);
}

/* UPDATE tables[1], tables[0] SET … */
static void update_both(void)
{
#ifdef FIXED
	pthread_mutex_lock(&tables[0]);
	pthread_mutex_lock(&tables[1]);
#else
	pthread_mutex_lock(&tables[1]);
	pthread_mutex_lock(&tables[0]);
#endif
	rows[1]++;
	rows[0]++;
	pthread_mutex_unlock(&tables[0]);
	pthread_mutex_unlock(&tables[1]);
}

static void delete_from(int table)
{
	pthread_mutex_lock(&tables[table]);
	rows[table] = 0;
	pthread_mutex_unlock(&tables[table]);
}

static void *run_statement(void *arg)
{
	int number = thread_number(arg);

	if (number % 3 == 0)
		insert_select();
	else if (number % 3 == 1)
		update_both();
	else
		delete_from(number % TABLES);
	do_chores();
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	for (int n = 0; n < TABLES; n++)
		pthread_mutex_init(&tables[n], NULL);
	threads_start_many(&threads, run_statement, arg_number(argc, argv, 1, 3));
	threads_join(&threads);
	return 0;
}
