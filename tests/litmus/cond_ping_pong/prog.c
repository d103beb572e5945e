/* Two threads take turns through one condition each. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t conds[2] = { PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER };
static int turn;
static int trail;

THREAD(play)
{
	int me = (int)(intptr_t)arg;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < 2; i++) {
		while (turn != me)
			pthread_cond_wait(&conds[me], &lock);
		trail = trail * 10 + me + 1;
		turn = 1 - me;
		pthread_cond_signal(&conds[turn]);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(play, play);
	assert(trail == 1212);
	return 0;
}
