/* --equivalence rf: runs with the same reads-from are one, also where several variables, updates, locks and
 * conditions are involved. Each program is chosen by its number. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, kind, count;

/* Store buffering: four orders of the loads and stores are one run each, but both loads cannot see 0. */
static void store_buffer(int self)
{
	if (self > 1)
		return;
	*(self ? &x : &y) = 1;
	int seen = self ? y : x;

	if (!seen)
		assert(atomic_fetch_add(&last, 1) == 0);
}

/* Two of three stores are overwritten by everybody's own load. */
static void own_loads(int self)
{
	x = self + 1;
	int seen = x;

	assert(seen > 0);
	assert(kind != 2 || self != 2 || seen != 1); /* wrong: thread 0 may store in between */
}

static void compare_and_swap(int self)
{
	int expected = self;

	if (atomic_compare_exchange_strong(&x, &expected, self + 1))
		y = self;
}

static void condition(int self)
{
	pthread_mutex_lock(&m);
	if (self) {
		ready++;
		pthread_cond_signal(&c);
	} else {
		while (!ready)
			pthread_cond_wait(&c, &m);
	}
	pthread_mutex_unlock(&m);
	x = self;
}

/* A lock order that is wrong only if y was written last by thread 1. */
static void lock_after(int self)
{
	static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;

	if (self == 2) {
		int wrong = y == 1;

		pthread_mutex_lock(wrong ? &n : &m);
		pthread_mutex_lock(wrong ? &m : &n);
		pthread_mutex_unlock(&n);
		pthread_mutex_unlock(&m);
	} else {
		y = self;
		pthread_mutex_lock(&m);
		pthread_mutex_lock(&n);
		pthread_mutex_unlock(&n);
		pthread_mutex_unlock(&m);
	}
}

static void *thread(void *arg)
{
	int self = (int)(long)arg;

	switch (kind) {
	case 0: store_buffer(self); break;
	case 1:
	case 2: own_loads(self); break;
	case 3: compare_and_swap(self); break;
	case 4: condition(self); break;
	default: lock_after(self); break;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[8];

	kind = atoi(argv[1]);
	count = argc > 2 ? atoi(argv[2]) : 3;
	for (long i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, thread, (void *)i);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
