/* Two threads touch an object for whose size a compiler makes no hook. The last byte is what races. */
#include "litmus.h"

static int before; /* its hook is not that of the object */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#if WHICH == 1
static long double object;
#define WRITE() (object = 2.0L)
#define READ() (object > 1.0L)
#elif WHICH == 2
static struct __attribute__((packed)) {
	char first;
	unsigned long bits : 40;
} object;
#define WRITE() (object.bits = 5)
#define READ() (object.bits != 0)
#elif WHICH == 3
typedef double vector __attribute__((vector_size(32)));
static vector object;
#define WRITE() (object += 1)
#define READ() (object[3] > 0)
#elif WHICH == 4 /* clang makes vectors of 32 bytes of the loop */
static double object[64];

static void __attribute__((noinline)) fill(double *numbers, double number)
{
	for (int i = 0; i < 64; i++)
		numbers[i] += number;
}

#define WRITE() fill(object, 1)
#define READ() (object[63] > 0)
#elif WHICH == 5 /* gcc makes no hook for an argument that is handed over by value */
static struct {
	long words[8];
} object;
static volatile int last = 7;

static long __attribute__((noinline)) word_of(__typeof__(object) copy, int i)
{
	__asm__ volatile("");
	return copy.words[i & 7];
}

#define WRITE() (object.words[7] = 5)
#define READ() (word_of(object, last) == 5)
#endif

THREAD(first)
{
	before = 1;
#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	WRITE();
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
	return &before;
}

THREAD(second)
{
	bool read;

	pthread_mutex_lock(&lock);
	read = READ();
	pthread_mutex_unlock(&lock);
	return read ? &lock : NULL;
}

int main(void)
{
	pthread_t a = start(first), b = start(second);

	join(a);
	join(b);
	return before - 1;
}
