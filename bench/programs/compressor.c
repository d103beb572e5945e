/*
 * A parallel compressor: a producer queues blocks, N consumers compress them, a writer
 * puts them out in order.
 *
 * As it stands main does not wait for the consumers before it takes the queue apart: a
 * late one finds it gone and crashes (order violation at exit). -DFIXED_EXIT: main joins
 * first, but now the consumers publish a block's length only after marking it ready, and
 * race with the writer. -DFIXED: neither.
 */
#include "threads.h"

#include <string.h>

#define BLOCK 6
#define MAX_BLOCKS 16

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_empty;
	int blocks[MAX_BLOCKS];
	int head;
	int tail;
	int is_closed;
};

struct output {
	pthread_mutex_t lock;
	pthread_cond_t became_ready;
	char packed[MAX_BLOCKS][2 * BLOCK];
	int lengths[MAX_BLOCKS];
	int is_ready[MAX_BLOCKS];
};

static struct queue first_queue = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.not_empty = PTHREAD_COND_INITIALIZER,
};
static struct queue *_Atomic queue;
static struct output output = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.became_ready = PTHREAD_COND_INITIALIZER,
};
static char input[MAX_BLOCKS * BLOCK];
static int block_count;
static int written;

/* Run-length encoding: pairs of count and byte. Returns the length. */
static int pack(const char *in, int len, char *out)
{
	int out_len = 0;

	for (int at = 0; at < len;) {
		int run = 1;

		while (at + run < len && in[at + run] == in[at])
			run++;
		out[out_len++] = (char)run;
		out[out_len++] = in[at];
		at += run;
	}
	return out_len;
}

/* Returns the number of a block, or -1 when there will be no more. */
static int next_block(void)
{
	int block = -1;

	pthread_mutex_lock(&queue->lock);
	while (queue->head == queue->tail && !queue->is_closed)
		pthread_cond_wait(&queue->not_empty, &queue->lock);
	if (queue->head != queue->tail)
		block = queue->blocks[queue->head++];
	pthread_mutex_unlock(&queue->lock);
	return block;
}

static void publish(int block, int len)
{
	pthread_mutex_lock(&output.lock);
#ifndef FIXED_EXIT
	output.lengths[block] = len;
#endif
	output.is_ready[block] = 1;
	pthread_cond_signal(&output.became_ready);
	pthread_mutex_unlock(&output.lock);
#ifdef FIXED_EXIT
	output.lengths[block] = len;
#endif
}

static void *consume(void *arg)
{
	int block;

	(void)arg;
	while ((block = next_block()) >= 0)
		publish(block, pack(input + block * BLOCK, BLOCK, output.packed[block]));
	do_chores();
	return NULL;
}

static void *write_in_order(void *arg)
{
	(void)arg;
	for (int block = 0; block < block_count; block++) {
		pthread_mutex_lock(&output.lock);
		while (!output.is_ready[block])
			pthread_cond_wait(&output.became_ready, &output.lock);
		written += output.lengths[block];
		pthread_mutex_unlock(&output.lock);
	}
	return NULL;
}

static void produce(void)
{
	for (int block = 0; block < block_count; block++) {
		pthread_mutex_lock(&queue->lock);
		queue->blocks[queue->tail++] = block;
		pthread_cond_signal(&queue->not_empty);
		pthread_mutex_unlock(&queue->lock);
	}
	pthread_mutex_lock(&queue->lock);
	queue->is_closed = 1;
	pthread_cond_broadcast(&queue->not_empty);
	pthread_mutex_unlock(&queue->lock);
}

int main(int argc, char **argv)
{
	struct threads consumers = { .len = 0 }, writer = { .len = 0 };

	block_count = arg_number(argc, argv, 2, 2);
	memset(input, 'x', sizeof(input));
	queue = &first_queue;
	threads_start_many(&consumers, consume, arg_number(argc, argv, 1, 2));
	threads_start(&writer, write_in_order, 0);
	produce();
	threads_join(&writer);
#if defined(FIXED) || defined(FIXED_EXIT)
	threads_join(&consumers);
#endif
	queue = NULL;
	do_chores();
	threads_join(&consumers);
	assert(written == block_count * 2);
	return 0;
}
