/* Code that no hook covers: the verdict names it, with its line. Barriers and an empty
 * assembler statement are known to be harmless. */
#include <emmintrin.h>
#include <sys/msg.h>

#include "litmus.h"

static int shared __attribute__((used));

#if WHICH == 1
__attribute__((no_sanitize("thread"))) static void touch(void)
{
	shared = shared + 1;
}
#elif WHICH == 2
static void touch(void)
{
	__asm__ volatile("movl $1, %0" : "=m"(shared));
}
#elif WHICH == 3
static void touch(void)
{
	_mm_stream_si32(&shared, 1);
}
#elif WHICH == 4
__attribute__((naked)) static void touch(void)
{
	__asm__("incl shared(%rip)\n\tret");
}
#elif WHICH == 5
static void touch(void)
{
	unsigned long value;

	__asm__ volatile("rdtsc" : "=a"(value) : : "rdx");
	assert(value != 77);
}
#elif WHICH == 6
static void touch(void)
{
	assert(msgget(IPC_PRIVATE, 0) >= -1);
}
#elif WHICH == 7
__attribute__((no_sanitize("thread"))) static int read_through(const int *at)
{
	return *at;
}

static void touch(void)
{
	assert(read_through(&shared) == 0);
	shared = 0;
}
#elif WHICH == 8
struct pair {
	long a, b;
} whole;

__attribute__((noinline)) static struct pair make(void)
{
	return (struct pair){1, 2};
}

/* gcc makes no hook for a result that is stored as a whole. */
static void touch(void)
{
	whole = make();
}
#elif WHICH == 9
struct pair {
	long a, b;
} whole;

__attribute__((noinline)) static long take(struct pair value)
{
	return value.a + value.b;
}

/* Nor for an argument. */
static void touch(void)
{
	static atomic_int turn;

	if (atomic_fetch_add(&turn, 1))
		whole.b = 5;
	else
		assert(take(whole) >= 0);
}
#else
static const int table[4] = {1, 2, 3, 4};

/* Constants need no hooks. */
static int look_up(int which)
{
	return table[which & 3];
}

static void touch(void)
{
	__asm__ volatile("" : : : "memory");
	__asm__ volatile("mfence; pause" : : : "memory");
	_mm_pause();
	assert(look_up(1) == 2);
}
#endif

THREAD(call)
{
	touch();
	return NULL;
}

int main(void)
{
	RUN(call, call);
	return 0;
}
