/* Prints values that the kernel makes different in every process, then fails in some schedules. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;

static void print_threads(void)
{
	struct timespec moment = {.tv_nsec = 1000};
	int local = 0;
	void *block = malloc(8);

	printf("thread %d %ld, self %lx, heap %p, stack %p\n", gettid(), syscall(SYS_gettid),
	       (unsigned long)pthread_self(), block, (void *)&local);
	free(block);
	nanosleep(&moment, NULL);
}

static void *child(void *arg)
{
	print_threads();
	return arg;
}

static void *first(void *arg)
{
	pthread_t thread;
	int seen = atomic_load(&x);

	pthread_create(&thread, NULL, child, NULL);
	print_threads();
	pthread_join(thread, NULL);
	atomic_store(&x, seen + 1);
	return arg;
}

static void print_process(void)
{
	const unsigned char *random = (const unsigned char *)getauxval(AT_RANDOM);
	struct timespec now;
	struct rusage usage;
	struct tms times_used;
	unsigned long drawn;

	printf("process %d, parent %d, group %d, session %d\n", getpid(), getppid(), getpgrp(),
	       getsid(0));
	printf("by number %ld %ld\n", syscall(SYS_getpid), syscall(SYS_getppid));
	printf("AT_RANDOM %02x%02x%02x%02x\n", random[0], random[1], random[14], random[15]);
	srand((unsigned)getpid());
	printf("seeded %d\n", rand());
	syscall(SYS_getrandom, &drawn, sizeof(drawn), 0);
	printf("drawn %lx\n", drawn);
	syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	printf("time %ld %ld\n", (long)now.tv_sec, now.tv_nsec);
	getrusage(RUSAGE_SELF, &usage);
	printf("used %ld %ld %ld\n", usage.ru_utime.tv_usec, usage.ru_maxrss, usage.ru_minflt);
	printf("clock %ld %ld\n", (long)clock(), (long)times(&times_used));
}

int main(void)
{
	pthread_t one, two;

	print_process();
	pthread_create(&one, NULL, first, NULL);
	pthread_create(&two, NULL, first, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(atomic_load(&x) == 2);
	return 0;
}
