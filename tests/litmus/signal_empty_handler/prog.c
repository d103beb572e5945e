/* A handler that does nothing, and then the step that the signal held up: not a turn of a loop. */
#include "litmus.h"

static atomic_int sent;
static pthread_t receiver_id;

static void do_nothing(int number)
{
}

THREAD(receiver)
{
	assert(!atomic_load(&sent));
	return NULL;
}

THREAD(sender)
{
	pthread_kill(receiver_id, SIGUSR1);
	atomic_store(&sent, 1);
	return NULL;
}

int main(void)
{
	pthread_t sender_id;

	signal(SIGUSR1, do_nothing);
	receiver_id = start(receiver);
	sender_id = start(sender);
	join(sender_id); /* while the receiver still has an identity */
	join(receiver_id);
	return 0;
}
