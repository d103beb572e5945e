/* Steps that --equivalence rf does not cover: each is named, and runs are distinguished as without the option. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;
static int kind;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void *thread(void *arg)
{
	int self = (int)(long)arg;

	switch (kind) {
	case 0: /* a loop that waits */
		if (self)
			x = 1;
		else
			while (!x)
				;
		break;
	case 1: /* plainly read by main */
		__atomic_store_n((int *)&x, self + 1, __ATOMIC_SEQ_CST);
		break;
	case 2: /* the readers' orders are one */
		pthread_rwlock_rdlock(&rw);
		pthread_rwlock_unlock(&rw);
		break;
	case 3:
		usleep(10);
		x = self;
		break;
	default: /* exits before or behind the other thread's step */
		if (self && x == 0)
			exit(0);
		x = 1;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	int copy = 0;

	kind = atoi(argv[1]);
	for (long i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, thread, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	if (kind == 1)
		memcpy(&copy, (void *)&x, sizeof(copy));
	assert(argc < 3 || copy != atoi(argv[2]));
	return 0;
}
