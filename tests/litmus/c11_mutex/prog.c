/* C11 threads: a counter with and without its mtx_t. */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static int counter;

static int count(void *arg)
{
	(void)arg;
#ifdef FIXED
	mtx_lock(&lock);
#endif
	counter++;
#ifdef FIXED
	mtx_unlock(&lock);
#endif
	return 5;
}

int main(void)
{
	thrd_t ids[2];
	int result;

	mtx_init(&lock, mtx_plain);
	for (int i = 0; i < 2; i++)
		assert(thrd_create(&ids[i], count, NULL) == thrd_success);
	for (int i = 0; i < 2; i++) {
		assert(thrd_join(ids[i], &result) == thrd_success);
		assert(result == 5);
	}
	mtx_destroy(&lock);
	return 0;
}
