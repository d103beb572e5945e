/*
 * Shared by the C litmus programs: the usual headers, and RUN, which starts one thread
 * per function and joins them all. Each program stays small enough to be read at one
 * glance; what it is about is said in its first line, what must come out in its `expect`.
 *
 *     THREAD(writer) { x = 1; return NULL; }
 *     THREAD(reader) { assert(x <= 1); return NULL; }
 *     int main(void) { RUN(writer, reader); return 0; }
 *
 * OK(call) is for calls that must return 0, WITHIN_MS(10) is an absolute deadline.
 */
#ifndef LITMUS_H
#define LITMUS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef void *litmus_run(void *);

enum { LITMUS_THREADS = 16 };

#define THREAD(name) static void *name(void *arg __attribute__((unused)))
#define OK(call) assert((call) == 0)
#define RUN(...) \
	run_all((litmus_run *[]){ __VA_ARGS__ }, \
		sizeof((litmus_run *[]){ __VA_ARGS__ }) / sizeof(litmus_run *))
#define WITHIN_MS(ms) ((struct timespec[]){ deadline_after(CLOCK_REALTIME, ms) })
#define WITHIN_MS_MONOTONIC(ms) ((struct timespec[]){ deadline_after(CLOCK_MONOTONIC, ms) })

static inline pthread_t start(litmus_run *run)
{
	pthread_t id;

	OK(pthread_create(&id, NULL, run, NULL));
	return id;
}

static inline void *join(pthread_t id)
{
	void *result;

	OK(pthread_join(id, &result));
	return result;
}

/* The number handed to each thread is its place in the list. */
static inline void run_all(litmus_run *const *runs, size_t len)
{
	pthread_t ids[LITMUS_THREADS];

	for (size_t i = 0; i < len; i++)
		OK(pthread_create(&ids[i], NULL, runs[i], (void *)i));
	for (size_t i = 0; i < len; i++)
		OK(pthread_join(ids[i], NULL));
}

/* In the calling thread and in those that it starts from then on; returns the set. */
static inline sigset_t block_signal(int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	OK(pthread_sigmask(SIG_BLOCK, &set, NULL));
	return set;
}

static inline struct timespec deadline_after(clockid_t clock, long ms)
{
	struct timespec at;

	clock_gettime(clock, &at);
	at.tv_sec += ms / 1000;
	at.tv_nsec += ms % 1000 * 1000000;
	if (at.tv_nsec >= 1000000000) {
		at.tv_nsec -= 1000000000;
		at.tv_sec++;
	}
	return at;
}

#endif
