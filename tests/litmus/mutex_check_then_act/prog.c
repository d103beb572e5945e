/* Formally locked, and still: the check and the act are two critical sections. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

THREAD(withdraw)
{
	int is_enough;

	pthread_mutex_lock(&lock);
	is_enough = balance >= 80;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	if (is_enough)
		balance -= 80;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(withdraw, withdraw);
	assert(balance >= 0);
	return 0;
}
