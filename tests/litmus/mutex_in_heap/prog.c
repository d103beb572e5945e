/* A mutex in a malloced object that is initialised, used, destroyed, freed, and made anew. */
#include "litmus.h"

struct box {
	pthread_mutex_t lock;
	int value;
};

static struct box *box;

THREAD(use)
{
	pthread_mutex_lock(&box->lock);
	box->value++;
	pthread_mutex_unlock(&box->lock);
	return NULL;
}

int main(void)
{
	for (int round = 0; round < 2; round++) {
		box = malloc(sizeof(*box));
		pthread_mutex_init(&box->lock, NULL);
		box->value = 0;
		if (round == 0)
			RUN(use);
		else
			RUN(use, use);
		assert(box->value == round + 1);
		pthread_mutex_destroy(&box->lock);
		free(box);
	}
	return 0;
}
