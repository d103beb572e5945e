/*
 * What all bench programs share: N from the command line, start threads, join them.
 *
 * The programs are the classic scalable ones of stateless model checking, written anew
 * from their descriptions. Their numbers of executions are known exactly, so they serve as
 * litmus tests too: every shared access is a sequentially consistent atomic or under a
 * named mutex, and nothing else is shared. Thread numbers are passed as pointers, never
 * through memory.
 */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_THREADS 256

struct threads {
	pthread_t ids[MAX_THREADS];
	int len;
};

/* The n-th argument as a number, fallback when it is not there. */
static inline int arg_number(int argc, char **argv, int n, int fallback)
{
	return argc > n ? atoi(argv[n]) : fallback;
}

/* The number a thread was started with. */
static inline int thread_number(void *arg)
{
	return (int)(intptr_t)arg;
}

static inline void threads_start(struct threads *threads, void *(*run)(void *), int number)
{
	pthread_t *id = &threads->ids[threads->len++];

	if (pthread_create(id, NULL, run, (void *)(intptr_t)number) != 0)
		abort();
}

static inline void threads_start_many(struct threads *threads, void *(*run)(void *), int count)
{
	for (int i = 0; i < count; i++)
		threads_start(threads, run, i);
}

static inline void threads_join(struct threads *threads)
{
	for (int i = 0; i < threads->len; i++)
		pthread_join(threads->ids[i], NULL);
	threads->len = 0;
}

/*
 * What a real program does besides, so that its bug is not all there is to explore: -DCHORES=N
 * gives each thread that calls this N critical sections of a lock of their own.
 */
#ifndef CHORES
#define CHORES 0
#endif

static inline void do_chores(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static int done;

	for (int n = 0; n < CHORES; n++) {
		pthread_mutex_lock(&lock);
		done++;
		pthread_mutex_unlock(&lock);
	}
}

#endif
