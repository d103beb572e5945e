/* A bug that a sampler meets about once in some thousand runs. With RACY also a data race, which
 * becomes a visible step: the search begins anew then. */
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turns[3], last = -1, repeats, raced;

static void *work(void *arg)
{
	int self = (int)(long)arg;

	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		turns[self]++;
		repeats = last == self ? repeats + 1 : 0;
		last = self;
		/* The first thread has all its turns in a row, in the middle. */
		assert(!(self == 0 && repeats == ROUNDS - 1 && turns[1] == 2 && turns[2] == 2));
		pthread_mutex_unlock(&lock);
#ifdef RACY
		if (self == 2 && turns[1] == ROUNDS)
			raced++;
		if (self == 1 && i == ROUNDS - 1)
			raced++;
#endif
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
