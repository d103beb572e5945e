/* Two threads write the halves of an array, which share a page, in loops. -DOVERLAP: the last element of one half is
 * also the first of the other. -DLATE: the element is written after the loop, in the same stretch.
 * -DFREED: the first thread to end frees the array. */
#include <pthread.h>
#include <stdlib.h>

enum { LENGTH = 3000, HALF = LENGTH / 2 };

static int *array;

static void *low(void *arg)
{
	int end = HALF;

#ifdef OVERLAP
	end++;
#endif
	for (int i = 0; i < end; i++)
		array[i] = i;
#ifdef LATE
	array[HALF + 700] = 1;
#endif
#ifdef FREED
	free(array);
#endif
	return arg;
}

static void *high(void *arg)
{
	for (int i = HALF; i < LENGTH; i++)
		array[i] += i;
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	int sum = 0;

	array = calloc(LENGTH, sizeof(*array));
	pthread_create(&threads[0], NULL, low, NULL);
	pthread_create(&threads[1], NULL, high, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
#ifndef FREED
	for (int i = 0; i < LENGTH; i++)
		sum += array[i];
	free(array);
#endif
	return sum == 0;
}
