/*
 * Two threads sort the halves of an array, each part of which is merged in a buffer of the thread; main merges the
 * halves. The argument is the length of the array in thousands.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, SHORT = 12 };

static uint32_t *numbers;
static size_t numbers_len;

static void insert(uint32_t *from, size_t len)
{
	for (size_t i = 1; i < len; i++) {
		uint32_t moved = from[i];
		size_t at = i;

		for (; at && from[at - 1] > moved; at--)
			from[at] = from[at - 1];
		from[at] = moved;
	}
}

static void merge(uint32_t *from, size_t half, size_t len, uint32_t *buffer)
{
	size_t a = 0, b = half, to = 0;

	memcpy(buffer, from, half * sizeof(*from));
	while (a < half && b < len)
		from[to++] = buffer[a] <= from[b] ? buffer[a++] : from[b++];
	while (a < half)
		from[to++] = buffer[a++];
}

static void sort(uint32_t *from, size_t len, uint32_t *buffer)
{
	if (len <= SHORT) {
		insert(from, len);
		return;
	}
	sort(from, len / 2, buffer);
	sort(from + len / 2, len - len / 2, buffer);
	merge(from, len / 2, len, buffer);
}

static void *sort_half(void *arg)
{
	size_t first = (size_t)arg * numbers_len / THREADS;
	size_t end = ((size_t)arg + 1) * numbers_len / THREADS;
	uint32_t *buffer = malloc((end - first) * sizeof(*buffer) + 1);

	sort(numbers + first, end - first, buffer);
	free(buffer);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	uint32_t seed = 1, sum = 0, *buffer;

	numbers_len = (argc > 1 ? (size_t)atoi(argv[1]) : 100) * 1000;
	numbers = malloc(numbers_len * sizeof(*numbers) + 1);
	for (size_t i = 0; i < numbers_len; i++)
		numbers[i] = seed = seed * 1664525 + 1013904223;
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, sort_half, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	buffer = malloc(numbers_len * sizeof(*buffer) + 1);
	merge(numbers, numbers_len / 2, numbers_len, buffer);
	for (size_t i = 0; i < numbers_len; i++)
		sum = sum * 31 + numbers[i];
	free(buffer);
	free(numbers);
	printf("%08x\n", (unsigned)sum);
	return 0;
}
