/* --equivalence rf: so many runs that most of them go on from a beginning that they share with others, behind stores,
 * updates, a lock and plain accesses. Each thread notes what it has seen, which the outcome tells. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3 };

static atomic_int x, y, last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, seen[THREADS];

static void *work(void *arg)
{
	int self = (int)(long)arg, expected = 0;

	pthread_mutex_lock(&m);
	count++;
	seen[self] = x;
	pthread_mutex_unlock(&m);
	if (self % 2) {
		x = self;
		seen[self] = seen[self] * 10 + y;
	} else if (atomic_compare_exchange_strong(&y, &expected, self + 1)) {
		seen[self] = seen[self] * 10 + x;
	}
	atomic_fetch_add(&last, self);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("%d ", seen[i]);
	printf("%d %d %d\n", count, y, last);
	return 0;
}
