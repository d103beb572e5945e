/* N deposits, N withdrawals and one check, each under one mutex: (2N+1)! executions. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1000;

static void *deposit(void *arg)
{
	pthread_mutex_lock(&lock);
	balance += thread_number(arg) + 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *withdraw(void *arg)
{
	pthread_mutex_lock(&lock);
	balance -= thread_number(arg) + 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *check(void *arg)
{
	int limit = thread_number(arg) * (thread_number(arg) + 1) / 2;

	pthread_mutex_lock(&lock);
	assert(balance >= 1000 - limit && balance <= 1000 + limit);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;
	int count = arg_number(argc, argv, 1, 2);

	threads_start_many(&threads, deposit, count);
	threads_start_many(&threads, withdraw, count);
	threads_start(&threads, check, count);
	threads_join(&threads);
	assert(balance == 1000);
	return 0;
}
