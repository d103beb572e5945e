#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[4], used;
static void add(int v) { table[used++] = v; }
static void *ensure(void *arg)
{
	int v = *(int *)arg, found = 0;

	pthread_rwlock_rdlock(&lock);
	for (int i = 0; i < used; i++)
		found |= table[i] == v;
	if (!found)
		add(v);
	pthread_rwlock_unlock(&lock);
	return NULL;
}
int main(void)
{
	pthread_t a, b;
	int x = 7, y = 8;

	pthread_create(&a, NULL, ensure, &x);
	pthread_create(&b, NULL, ensure, &y);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(used == 2);
	return 0;
}
