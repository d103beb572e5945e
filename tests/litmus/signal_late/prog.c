/* The kernel interrupts a thread some time after pthread_kill has returned. The sender writes `sent`
 * behind the call, and the receiver may read it before its handler has run. -DACKNOWLEDGED: the sender
 * waits until the handler has run. */
#include <assert.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

#include "litmus.h"

static atomic_int sent, handled;
static sem_t done;
static pthread_t receiver;

static void handle(int number)
{
	(void)number;
	atomic_store(&handled, 1);
	sem_post(&done);
}

THREAD(receive)
{
	if (atomic_load(&sent))
		assert(atomic_load(&handled));
	return NULL;
}

int main(void)
{
	sem_init(&done, 0, 0);
	signal(SIGUSR1, handle);
	receiver = start(receive);
	pthread_kill(receiver, SIGUSR1);
#ifdef ACKNOWLEDGED
	sem_trywait(&done) == 0 ? atomic_store(&sent, 1) : (void)0;
#else
	atomic_store(&sent, 1);
#endif
	join(receiver);
	return 0;
}
