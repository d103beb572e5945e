/*
 * Two threads multiply matrices: each writes half of the rows of the product, and both read both factors. The
 * argument is the number of rows.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_MAX = 512, THREADS = 2 };

static double left[ROWS_MAX][ROWS_MAX], right[ROWS_MAX][ROWS_MAX], product[ROWS_MAX][ROWS_MAX];
static int rows;

static void *multiply(void *arg)
{
	int first = (int)(long)arg * rows / THREADS, end = ((int)(long)arg + 1) * rows / THREADS;

	for (int row = first; row < end; row++)
		for (int k = 0; k < rows; k++)
			for (int column = 0; column < rows; column++)
				product[row][column] += left[row][k] * right[k][column];
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	double sum = 0;

	rows = argc > 1 ? atoi(argv[1]) : 100;
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < rows; j++) {
			left[i][j] = i + j;
			right[i][j] = i - j;
		}
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, multiply, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < rows; j++)
			sum += product[i][j];
	printf("%.0f\n", sum);
	return 0;
}
