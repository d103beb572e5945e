/* ops.h: each instruction of ops.def as real calls.
 *
 * A generated program includes this and is a list of these macros; the interpreter has one `case`
 * for each. They are macros so that each use has a place of its own in the compiled program. The
 * registers of a thread are its local array r; spin loops must not leave the stack. All orders are
 * sequentially consistent, because the model is.
 */
#ifndef PROPERTY_OPS_H
#define PROPERTY_OPS_H

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "limits.h"

/* Not static: a compiler that sees that nobody writes one may leave out the loads of it. */
extern atomic_int x[ATOMICS];
atomic_int x[ATOMICS];
static pthread_mutex_t mutex[MUTEXES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t cond[MUTEXES] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int data[MUTEXES];
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int rw_data;
static pthread_spinlock_t spinlock;
static int spin_data;
static sem_t sem[SEMAPHORES];
static pthread_barrier_t barrier;
static pthread_once_t once[ATOMICS];
static pthread_key_t key;
static int ends[2]; /* of the pipe */
static sigset_t signals;
static int *_Atomic shared;
static volatile int plain[PLAINS]; /* volatile: compilers may not leave out a look at it */
static int last[THREADS];
static pthread_t thread[THREADS];
static int result[THREADS][REGISTERS];
static int cancelled[THREADS];

static const struct timespec past = {0, 1};

/* Helpers are expanded where they are used, like the macros. */
#define HELPER static inline __attribute__((always_inline))

static void do_once(int i)
{
	atomic_fetch_add(&x[i], 1);
}

static void do_once0(void)
{
	do_once(0);
}

static void do_once1(void)
{
	do_once(1);
}

static void (*const do_once_of[])(void) = {do_once0, do_once1};

static void at_end(void *value)
{
	atomic_fetch_add((atomic_int *)value, 1);
}

static void unlock_mutex(void *which)
{
	pthread_mutex_unlock(which);
}

/* The pipe is made only if it is used: descriptors cost time in each run. */
static void start_pipe(void)
{
	if (pipe(ends))
		exit(99);
}

/* The kernel gives the lowest number that is free, here counted from this one. */
static int first_number;

static void start_files(void)
{
	first_number = open("/dev/null", O_RDONLY);
	close(first_number);
}

static void do_nothing(int number)
{
}

/* All threads inherit that the one signal is blocked; the other one is not. */
static void start_signals(void)
{
	signal(SIGUSR2, do_nothing);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

static void start_objects(void)
{
	pthread_spin_init(&spinlock, 0);
	for (int i = 0; i < SEMAPHORES; i++)
		sem_init(&sem[i], 0, 0);
	pthread_barrier_init(&barrier, NULL, PARTY);
	pthread_key_create(&key, at_end);
	/* used at all, so that compilers are content */
	(void)start_signals, (void)start_pipe, (void)do_once_of, (void)past, (void)last,
		(void)unlock_mutex, (void)plain, (void)rw_data;
	(void)spin_data, (void)once, (void)cond, (void)rwlock, (void)shared, (void)data;
}

HELPER int is_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGUSR1);
}

HELPER int swap_pointer(int *block)
{
	int *old = atomic_exchange(&shared, block);
	int was = old != NULL;

	free(old);
	return was;
}

HELPER int cas(int i, int expected, int desired)
{
	return atomic_compare_exchange_strong(&x[i], &expected, desired);
}

HELPER int cas_weak(int i, int expected, int desired)
{
	return atomic_compare_exchange_weak(&x[i], &expected, desired);
}

HELPER int cas_old(int i, int expected, int desired)
{
	atomic_compare_exchange_strong(&x[i], &expected, desired);
	return expected;
}

HELPER int update(int i, int kind, int by)
{
	switch (kind) {
	case 0:
		return atomic_fetch_add(&x[i], by);
	case 1:
		return atomic_fetch_sub(&x[i], by);
	case 2:
		return atomic_fetch_or(&x[i], by);
	case 3:
		return atomic_fetch_and(&x[i], by);
	default:
		return atomic_fetch_xor(&x[i], by);
	}
}

HELPER void write_byte(char byte)
{
	if (write(ends[1], &byte, 1) != 1)
		exit(99);
}

HELPER int read_byte(void)
{
	char byte;

	return read(ends[0], &byte, 1) == 1 ? byte : 99;
}

HELPER int join(int t)
{
	void *value = NULL;
	int failed = pthread_join(thread[t], &value);

	cancelled[t] = value == PTHREAD_CANCELED;
	return failed;
}

HELPER int try_join(int t)
{
	void *value = NULL;
	int failed = pthread_tryjoin_np(thread[t], &value);

	if (!failed)
		cancelled[t] = value == PTHREAD_CANCELED;
	return !failed;
}

HELPER int futex_wait(int i, int value, const struct timespec *limit)
{
	long failed = syscall(SYS_futex, &x[i], limit ? FUTEX_WAIT_BITSET : FUTEX_WAIT, value,
			      limit, NULL, FUTEX_BITSET_MATCH_ANY);

	if (!failed)
		return 0;
	return errno == ETIMEDOUT ? 2 : 1;
}

static void keep_result(int t, const int *r)
{
	for (int i = 0; i < REGISTERS; i++)
		result[t][i] = r[i];
}

#define LOAD(a, b, ...) r[a] = atomic_load(&x[b])
#define STORE(a, b, ...) atomic_store(&x[a], b)
#define STORE_REG(a, b, c, ...) atomic_store(&x[a], r[b] + (c))
#define UPDATE(a, b, c, d) r[a] = update(b, c, d)
#define XCHG(a, b, c, ...) r[a] = atomic_exchange(&x[b], c)
#define CAS(a, b, c, d) r[a] = cas(b, c, d)
#define CAS_WEAK(a, b, c, d) r[a] = cas_weak(b, c, d)
#define CAS_OLD(a, b, c, d) r[a] = cas_old(b, c, d)
#define CAS_REG(a, b, c, d) r[a] = cas(b, r[c], d)
#define FENCE(...) atomic_thread_fence(memory_order_seq_cst)
#define PUT(a, ...) r[a] = swap_pointer(calloc(1, sizeof(int)))
#define DROP(a, ...) r[a] = swap_pointer(NULL)

#define PLAIN_LOAD(a, b, ...) r[a] = plain[b]
#define PLAIN_STORE(a, b, ...) plain[a] = b
#define DATA_ADD(a, b, ...) data[a] += b
#define DATA_SET(a, b, ...) data[a] = b
#define DATA_GET(a, b, ...) r[a] = data[b]
#define RW_ADD(a, ...) rw_data += a
#define RW_GET(a, ...) r[a] = rw_data
#define SPIN_ADD(a, ...) spin_data += a

#define LOCK(a, ...) pthread_mutex_lock(&mutex[a])
#define TRYLOCK(a, b, ...) r[a] = !pthread_mutex_trylock(&mutex[b])
#define TIMEDLOCK(a, b, ...) r[a] = !pthread_mutex_timedlock(&mutex[b], &past)
#define UNLOCK(a, ...) pthread_mutex_unlock(&mutex[a])
#define RDLOCK(...) pthread_rwlock_rdlock(&rwlock)
#define TRYRD(a, ...) r[a] = !pthread_rwlock_tryrdlock(&rwlock)
#define TIMEDRD(a, ...) r[a] = !pthread_rwlock_timedrdlock(&rwlock, &past)
#define WRLOCK(...) pthread_rwlock_wrlock(&rwlock)
#define TRYWR(a, ...) r[a] = !pthread_rwlock_trywrlock(&rwlock)
#define TIMEDWR(a, ...) r[a] = !pthread_rwlock_timedwrlock(&rwlock, &past)
#define RWUNLOCK(...) pthread_rwlock_unlock(&rwlock)
#define SPLOCK(...) pthread_spin_lock(&spinlock)
#define SPTRY(a, ...) r[a] = !pthread_spin_trylock(&spinlock)
#define SPUNLOCK(...) pthread_spin_unlock(&spinlock)

#define WAIT(a, ...) pthread_cond_wait(&cond[a], &mutex[a])
#define WAIT_CLEAN(a, ...)                                     \
	do {                                                   \
		pthread_cleanup_push(unlock_mutex, &mutex[a]); \
		pthread_cond_wait(&cond[a], &mutex[a]);        \
		pthread_cleanup_pop(0);                        \
	} while (0)
#define TIMEDWAIT(a, b, ...) r[a] = pthread_cond_timedwait(&cond[b], &mutex[b], &past) != 0
#define SIGNAL(a, ...) pthread_cond_signal(&cond[a])
#define BROADCAST(a, ...) pthread_cond_broadcast(&cond[a])
#define POST(a, ...) sem_post(&sem[a])
#define DOWN(a, ...) sem_wait(&sem[a])
#define TRYDOWN(a, b, ...) r[a] = !sem_trywait(&sem[b])
#define TIMEDDOWN(a, b, ...) r[a] = !sem_timedwait(&sem[b], &past)
#define SEMGET(a, b, ...) sem_getvalue(&sem[b], &r[a])
#define BARRIER(a, ...) r[a] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD
#define ONCE(a, ...) pthread_once(&once[a], do_once_of[a])
#define FWAIT(a, b, c, ...) r[a] = futex_wait(b, c, NULL)
#define FTIMED(a, b, c, ...) r[a] = futex_wait(b, c, &past)
#define FWAKE(a, b, c, ...) r[a] = (int)syscall(SYS_futex, &x[b], FUTEX_WAKE, c, NULL, NULL, 0)

#define PIPE_PUT(a, ...) write_byte(a)
#define PIPE_GET(a, ...) r[a] = read_byte()
#define FD_OPEN(a, ...) r[a] = open("/dev/null", O_RDONLY) - first_number
#define FD_CLOSE(a, b, ...) r[a] = close(first_number + (b)) == 0
#define FD_LOOK(a, b, ...) r[a] = fcntl(first_number + (b), F_GETFD) >= 0
#define SLEEP(a, ...) usleep(1000 * (a))

#define CREATE(a, ...) pthread_create(&thread[a], NULL, START(a), ARGUMENT(a))
#define JOIN(a, ...) join(a)
#define TRYJOIN(a, b, ...) r[a] = try_join(b)
#define DETACH(a, ...) pthread_detach(thread[a])
#define CANCEL(a, ...) pthread_cancel(thread[a])
#define TESTCANCEL(...) pthread_testcancel()
#define KILL(a, ...) pthread_kill(thread[a], SIGUSR1)
#define HIT(a, ...) pthread_kill(thread[a], SIGUSR2)
#define KILL_ALL(...) kill(getpid(), SIGUSR1)
#define SIGWAIT(...) sigwait(&signals, &(int){0})
#define SIGLOOK(a, ...) r[a] = is_pending()
#define KEY(a, ...) pthread_setspecific(key, &x[a])
#define LEAVE(...)                    \
	do {                          \
		keep_result(self, r); \
		pthread_exit(NULL);   \
	} while (0)
#define EXIT(a, ...) exit(a)
#define EXIT_NOW(a, ...) _exit(a)
#define ABORT(...) abort()
#define YIELD(...) sched_yield()

#define SPIN(a, b, ...) while (atomic_load(&x[a]) != b)
#define SPIN_PAUSE(a, b, ...)           \
	while (atomic_load(&x[a]) != b) \
	__builtin_ia32_pause()
#define SPIN_YIELD(a, b, ...)           \
	while (atomic_load(&x[a]) != b) \
	sched_yield()
#define SPIN_BEAT(a, b, ...)            \
	while (atomic_load(&x[a]) != b) \
	atomic_store(&x[ATOMICS - 1], 1)
#define AWAIT(a, b, c, ...) while ((r[a] = atomic_load(&x[b])) < c)
#define FRESH(a, b, ...)                                          \
	do {                                                      \
		while ((r[a] = atomic_load(&x[b])) == last[self]) \
			;                                         \
		last[self] = r[a];                                \
	} while (0)
#define SPIN_BOTH(a, b, c, d) while (atomic_load(&x[a]) != b || atomic_load(&x[c]) != d)
#define SPIN_SUM(a, b, c, ...)                       \
	for (;;) {                                   \
		int first = atomic_load(&x[a]);      \
		if (first + atomic_load(&x[b]) == c) \
			break;                       \
	}
#define SPIN_CAS(a, b, c, ...) while (!cas(a, b, c))
#define SPIN_TAS(a, ...) while (atomic_exchange(&x[a], 1))
#define SPIN_TRY(a, ...) while (pthread_mutex_trylock(&mutex[a]))
#define SPIN_SEM(a, ...) while (sem_trywait(&sem[a]))
#define SPIN_POLL(a, b, ...)                             \
	do {                                             \
		pthread_mutex_lock(&mutex[a]);           \
		while (data[a] < b) {                    \
			pthread_mutex_unlock(&mutex[a]); \
			pthread_mutex_lock(&mutex[a]);   \
		}                                        \
		pthread_mutex_unlock(&mutex[a]);         \
	} while (0)
#define COUNTED(a, b, c, d) for (int turn = 0; turn < d && (r[a] = atomic_load(&x[b])) != c; turn++)
#define RETRY(a, b, ...)                   \
	do                                 \
		r[a] = atomic_load(&x[b]); \
	while (!cas(b, r[a], r[a] + 1))

/* Frees the block that is left: a leak in some orders only would be a finding.
 * Prints what main found, then, unless a thread may still be running, all the rest. */
static void print_results(const int *r, int threads, int everything)
{
	if (everything)
		free(shared);
	for (int i = 0; i < REGISTERS; i++)
		printf("%d ", r[i]);
	for (int i = 0; everything && i < MUTEXES; i++)
		printf("%d ", data[i]);
	for (int i = 0; everything && i < PLAINS; i++)
		printf("%d ", plain[i]);
	if (everything)
		printf("%d %d ", rw_data, spin_data);
	for (int t = 1; everything && t < threads; t++) {
		printf("/ %d ", cancelled[t]);
		for (int i = 0; i < REGISTERS; i++)
			printf("%d ", result[t][i]);
	}
	puts("");
}

#endif
