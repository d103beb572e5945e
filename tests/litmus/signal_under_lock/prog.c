/* A thread that holds a lock sends a signal, which its receiver blocks, to a thread that waits for
 * the lock. The receiver cannot go between the lock and the signal. */
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t receiver;

THREAD(receive)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return NULL;
}

THREAD(send)
{
	pthread_mutex_lock(&m);
	pthread_kill(receiver, SIGUSR1);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t sender;

	block_signal(SIGUSR1);
	receiver = start(receive);
	sender = start(send);
	join(sender);
	join(receiver);
	return 0;
}
