/* gcc writes "rep bsf" for __builtin_ctz, an instruction that repeats nothing and reads no memory:
 * it needs no hook. Each thread takes the lowest bit that is set. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long bits = 0x50;
static int taken;

__attribute__((noinline)) static int lowest(unsigned long set)
{
	return __builtin_ctzl(set);
}

static void *take(void *arg)
{
	int one;

	pthread_mutex_lock(&lock);
	one = lowest(bits);
	bits &= ~(1ul << one);
	taken += one;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, take, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(taken == 10 && !bits);
	return 0;
}
