/* The error path of pool_take forgets to unlock. */
#include <pthread.h>
#include <stdlib.h>
#include <errno.h>
struct pool { pthread_mutex_t lock; int free; };
static struct pool pool = {PTHREAD_MUTEX_INITIALIZER, 1};
static int pool_take(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	if (p->free == 0)
		return -EAGAIN;
	p->free--;
	pthread_mutex_unlock(&p->lock);
	return 0;
}
static void pool_give(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->free++;
	pthread_mutex_unlock(&p->lock);
}
static void *worker(void *arg)
{
	if (pool_take(&pool) == 0)
		pool_give(&pool);
	return NULL;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
