/* Sums a small matrix by rows in a pool of two threads, and adds the sums up. */
#include "pool.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 2
#define COLUMNS 4

struct row {
	int cells[COLUMNS];
	atomic_int sum;
};

static struct row matrix[ROWS];

static void fill(void)
{
	for (int r = 0; r < ROWS; r++)
		for (int c = 0; c < COLUMNS; c++)
			matrix[r].cells[c] = r * COLUMNS + c;
}

static void sum_row(void *arg)
{
	struct row *row = arg;
	int sum = 0;

	for (int c = 0; c < COLUMNS; c++)
		sum += row->cells[c];
	atomic_store(&row->sum, sum);
}

int main(void)
{
	struct pool *pool;
	int total = 0;

	fill();
	pool = pool_new(2);
	if (pool == NULL)
		return 1;
	for (int r = 0; r < ROWS; r++)
		if (pool_submit(pool, sum_row, &matrix[r]) != 0)
			return 1;
	pool_drain(pool);
	for (int r = 0; r < ROWS; r++)
		total += atomic_load(&matrix[r].sum);
	assert(total == ROWS * COLUMNS * (ROWS * COLUMNS - 1) / 2);
	pool_destroy(pool);
	printf("total %d\n", total);
	return 0;
}
