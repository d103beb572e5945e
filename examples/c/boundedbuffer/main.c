/*
 * A producer sends orders through a buffer of two to two packers; main waits for all and
 * checks that each order was packed exactly once.
 */
#include "buffer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define ORDERS 2
#define PACKERS 2

struct order {
	int number;
	atomic_int times_packed;
};

static struct buffer buffer;
static struct order orders[ORDERS];

static void *pack(void *arg)
{
	void *item;

	(void)arg;
	while (buffer_pop(&buffer, &item)) {
		struct order *order = item;

		atomic_fetch_add(&order->times_packed, 1);
	}
	return NULL;
}

static void take_orders(void)
{
	for (int i = 0; i < ORDERS; i++) {
		orders[i].number = i;
		if (!buffer_push(&buffer, &orders[i]))
			abort();
	}
	buffer_close(&buffer);
}

int main(void)
{
	pthread_t packers[PACKERS];

	if (buffer_init(&buffer, 2) != 0)
		return 1;
	for (int i = 0; i < PACKERS; i++)
		if (pthread_create(&packers[i], NULL, pack, NULL) != 0)
			return 1;
	take_orders();
	for (int i = 0; i < PACKERS; i++)
		pthread_join(packers[i], NULL);
	for (int i = 0; i < ORDERS; i++)
		assert(orders[i].times_packed == 1);
	buffer_release(&buffer);
	puts("all packed");
	return 0;
}
