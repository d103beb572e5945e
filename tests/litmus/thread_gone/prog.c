/* A detached thread is cancelled, or with -DKILL sent a signal, when it may have ended: its id may belong
 * to nobody by then. -DALIVE: it waits for a word before it ends. */
#include "litmus.h"

static sem_t go;

THREAD(work)
{
#ifdef ALIVE
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	sem_wait(&go);
#endif
	return NULL;
}

int main(void)
{
	pthread_t id;

	OK(sem_init(&go, 0, 0));
	id = start(work);
	OK(pthread_detach(id));
#ifdef KILL
	pthread_kill(id, 0);
#else
	pthread_cancel(id);
#endif
	OK(sem_post(&go));
	return 0;
}
