/* Three threads join each other in a ring. */
#include "litmus.h"

static pthread_t ids[3];
static sem_t all_known;

THREAD(join_next)
{
	sem_wait(&all_known);
	pthread_join(ids[((intptr_t)arg + 1) % 3], NULL);
	return NULL;
}

int main(void)
{
	sem_init(&all_known, 0, 0);
	for (intptr_t i = 0; i < 3; i++)
		OK(pthread_create(&ids[i], NULL, join_next, (void *)i));
	for (int i = 0; i < 3; i++)
		sem_post(&all_known);
	pthread_exit(NULL);
}
