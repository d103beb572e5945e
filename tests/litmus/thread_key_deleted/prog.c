/* One thread deletes the key whose destructor another thread needs at its end: if the key is
 * deleted first, the destructor does not run and the value is lost. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int freed;

static void free_value(void *value)
{
	freed++;
}

static void *user(void *arg)
{
	pthread_setspecific(key, &freed);
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_key_create(&key, free_value);
	pthread_create(&thread, NULL, user, NULL);
	pthread_key_delete(key);
	pthread_join(thread, NULL);
	assert(freed == 1);
	return 0;
}
