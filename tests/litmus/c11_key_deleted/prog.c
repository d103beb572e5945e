/* A value of a key that another thread deletes is lost. */
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static tss_t key;
static int value;

static int delete_key(void *arg)
{
	tss_delete(key);
	return 0;
}

int main(void)
{
	thrd_t thread;

	tss_create(&key, NULL);
	tss_set(key, &value);
	thrd_create(&thread, delete_key, NULL);
	assert(tss_get(key) == &value);
	thrd_join(thread, NULL);
	return 0;
}
