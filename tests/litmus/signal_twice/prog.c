/* Two signals of one number: the second is lost if the first was not taken yet, and then the
 * receiver waits for ever. It is not lost in the schedule that takes the first one in between. */
#include "litmus.h"

static atomic_int x;
static pthread_t receiver;
static sigset_t set;

THREAD(receive)
{
	int number;

	sigwait(&set, &number);
	atomic_load(&x);
	sigwait(&set, &number);
	return NULL;
}

THREAD(send)
{
	atomic_store(&x, 1);
	pthread_kill(receiver, SIGUSR1);
	pthread_kill(receiver, SIGUSR1);
	return NULL;
}

int main(void)
{
	pthread_t sender;

	set = block_signal(SIGUSR1);
	receiver = start(receive);
	sender = start(send);
	join(sender);
	join(receiver);
	return 0;
}
