#include "pipeline.h"
#include "rle.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/*
 * The bug is in wait_for_block(): the writer looks for its block, gives up the lock, and
 * then asks whether any worker is left. If the last worker delivers that very block and
 * leaves in between, the writer believes that nothing more will come. -DFIXED: the last
 * question is asked with the lock held, before which every delivery has happened.
 */

struct block {
	const unsigned char *in;
	size_t in_len;
	unsigned char packed[2 * PIPELINE_BLOCK];
	size_t packed_len;
	bool is_ready;
};

struct pipeline {
	pthread_mutex_t lock;
	pthread_cond_t changed;		/* a block became ready, or a worker left */
	atomic_size_t next_block;
	atomic_size_t workers_left;
	struct block blocks[PIPELINE_BLOCKS_MAX];
	size_t blocks_len;
};

static void cut_into_blocks(struct pipeline *p, const unsigned char *in, size_t len)
{
	for (size_t at = 0; at < len; at += PIPELINE_BLOCK) {
		struct block *block = &p->blocks[p->blocks_len++];

		block->in = in + at;
		block->in_len = len - at < PIPELINE_BLOCK ? len - at : PIPELINE_BLOCK;
	}
}

static void deliver(struct pipeline *p, struct block *block)
{
	pthread_mutex_lock(&p->lock);
	block->is_ready = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static void leave(struct pipeline *p)
{
	pthread_mutex_lock(&p->lock);
	atomic_fetch_sub(&p->workers_left, 1);
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static void *work(void *arg)
{
	struct pipeline *p = arg;
	size_t number;

	while ((number = atomic_fetch_add(&p->next_block, 1)) < p->blocks_len) {
		struct block *block = &p->blocks[number];

		block->packed_len = rle_pack(block->in, block->in_len, block->packed);
		deliver(p, block);
	}
	leave(p);
	return NULL;
}

/* Returns false if the block will never come. */
#ifdef FIXED
static bool wait_for_block(struct pipeline *p, struct block *block)
{
	bool is_ready;

	pthread_mutex_lock(&p->lock);
	while (!block->is_ready && atomic_load(&p->workers_left) > 0)
		pthread_cond_wait(&p->changed, &p->lock);
	is_ready = block->is_ready;
	pthread_mutex_unlock(&p->lock);
	return is_ready;
}
#else
static bool is_block_ready(struct pipeline *p, struct block *block)
{
	bool is_ready;

	pthread_mutex_lock(&p->lock);
	is_ready = block->is_ready;
	pthread_mutex_unlock(&p->lock);
	return is_ready;
}

static bool wait_for_block(struct pipeline *p, struct block *block)
{
	while (!is_block_ready(p, block)) {
		if (atomic_load(&p->workers_left) == 0)
			return false;
		pthread_mutex_lock(&p->lock);
		if (!block->is_ready && atomic_load(&p->workers_left) > 0)
			pthread_cond_wait(&p->changed, &p->lock);
		pthread_mutex_unlock(&p->lock);
	}
	return true;
}
#endif

static size_t write_in_order(struct pipeline *p, unsigned char *out)
{
	size_t used = 0;

	for (size_t i = 0; i < p->blocks_len; i++) {
		struct block *block = &p->blocks[i];

		if (!wait_for_block(p, block))
			break;
		memcpy(out + used, block->packed, block->packed_len);
		used += block->packed_len;
	}
	return used;
}

static size_t start_workers(struct pipeline *p, pthread_t *threads, size_t workers)
{
	size_t started = 0;

	atomic_store(&p->workers_left, workers);
	while (started < workers && pthread_create(&threads[started], NULL, work, p) == 0)
		started++;
	for (size_t i = started; i < workers; i++)
		leave(p);
	return started;
}

size_t pipeline_pack(const unsigned char *in, size_t len, size_t workers, unsigned char *out)
{
	struct pipeline p = { .blocks_len = 0 };
	pthread_t threads[PIPELINE_WORKERS_MAX];
	size_t started, used;

	if (len > PIPELINE_BLOCK * PIPELINE_BLOCKS_MAX || workers > PIPELINE_WORKERS_MAX)
		return 0;
	pthread_mutex_init(&p.lock, NULL);
	pthread_cond_init(&p.changed, NULL);
	cut_into_blocks(&p, in, len);
	started = start_workers(&p, threads, workers);
	used = write_in_order(&p, out);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	pthread_cond_destroy(&p.changed);
	pthread_mutex_destroy(&p.lock);
	return used;
}
