/* Two readers wait, holding the lock, for what a writer would give: if both came first, for
 * ever. A writer that came first must be found from there. */
#include "litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t items;

THREAD(read_item)
{
	pthread_rwlock_rdlock(&lock);
	sem_wait(&items);
	pthread_rwlock_unlock(&lock);
	return NULL;
}

THREAD(write_items)
{
	pthread_rwlock_wrlock(&lock);
	sem_post(&items);
	sem_post(&items);
	pthread_rwlock_unlock(&lock);
	puts("written");
	return NULL;
}

int main(void)
{
	sem_init(&items, 0, 0);
	RUN(read_item, read_item, write_items);
	return 0;
}
