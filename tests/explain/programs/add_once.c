/* Read lock to look, then write lock to change: the table changes in between. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define ROWS 4

static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static const char *names[ROWS];
static int rows;

static int find(const char *name)
{
	for (int i = 0; i < rows; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

static void add_once(const char *name)
{
	pthread_rwlock_rdlock(&table_lock);
	int at = find(name);
	pthread_rwlock_unlock(&table_lock);
	if (at >= 0)
		return;
	pthread_rwlock_wrlock(&table_lock);
	names[rows] = name;
	rows++;
	pthread_rwlock_unlock(&table_lock);
}

static void *writer(void *arg)
{
	add_once(arg);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, "red");
	pthread_create(&b, NULL, writer, "red");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(rows == 1);
	return 0;
}
