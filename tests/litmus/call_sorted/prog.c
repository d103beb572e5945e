#define _GNU_SOURCE
/* The function with which qsort compares takes a lock. What qsort writes to the array behind its last call is not under
 * that lock. */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, whole = PTHREAD_MUTEX_INITIALIZER;
static int numbers[] = {2, 1};
static int comparisons;

static int compare(const void *a, const void *b)
{
	pthread_mutex_lock(&lock);
	comparisons++;
	pthread_mutex_unlock(&lock);
	return *(const int *)a - *(const int *)b;
}

#ifdef CONTEXT
static int compare_with(const void *a, const void *b, void *context)
{
	return context ? compare(a, b) : 0;
}
#define SORT() qsort_r(numbers, 2, sizeof(int), compare_with, numbers)
#else
#define SORT() qsort(numbers, 2, sizeof(int), compare)
#endif

THREAD(sort)
{
#ifdef FIXED
	pthread_mutex_lock(&whole);
#endif
	SORT();
#ifdef FIXED
	pthread_mutex_unlock(&whole);
#endif
	return NULL;
}

THREAD(look)
{
	int made, first;

	pthread_mutex_lock(&whole);
	pthread_mutex_lock(&lock);
	made = comparisons;
	first = made ? numbers[0] : 1;
	pthread_mutex_unlock(&lock);
	pthread_mutex_unlock(&whole);
	assert(first == 1);
	return NULL;
}

int main(void)
{
	RUN(sort, look);
	assert(numbers[0] == 1 && numbers[1] == 2);
	return 0;
}
