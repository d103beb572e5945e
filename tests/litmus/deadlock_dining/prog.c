/* Dining philosophers; fixed, the last takes his forks in the other order. */
#include "litmus.h"

static pthread_mutex_t forks[PHILOSOPHERS];

THREAD(dine)
{
	int left = (int)(intptr_t)arg, right = (left + 1) % PHILOSOPHERS;

#ifdef FIXED
	if (right < left) {
		left = right;
		right = PHILOSOPHERS - 1;
	}
#endif
	pthread_mutex_lock(&forks[left]);
	pthread_mutex_lock(&forks[right]);
	pthread_mutex_unlock(&forks[right]);
	pthread_mutex_unlock(&forks[left]);
	return NULL;
}

int main(void)
{
	litmus_run *all[PHILOSOPHERS];

	for (int i = 0; i < PHILOSOPHERS; i++) {
		pthread_mutex_init(&forks[i], NULL);
		all[i] = dine;
	}
	run_all(all, PHILOSOPHERS);
	return 0;
}
