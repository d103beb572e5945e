/* C11 condition variables: signal against broadcast. */
#include <threads.h>

static mtx_t lock;
static cnd_t cond;
static int is_open;

static int pass(void *arg)
{
	(void)arg;
	mtx_lock(&lock);
	while (!is_open)
		cnd_wait(&cond, &lock);
	mtx_unlock(&lock);
	return 0;
}

int main(void)
{
	thrd_t ids[2];

	mtx_init(&lock, mtx_plain);
	cnd_init(&cond);
	for (int i = 0; i < 2; i++)
		thrd_create(&ids[i], pass, NULL);
	mtx_lock(&lock);
	is_open = 1;
#ifdef FIXED
	cnd_broadcast(&cond);
#else
	cnd_signal(&cond);
#endif
	mtx_unlock(&lock);
	for (int i = 0; i < 2; i++)
		thrd_join(ids[i], NULL);
	cnd_destroy(&cond);
	mtx_destroy(&lock);
	return 0;
}
