/* Library functions that read or write memory of the program: each pair of calls races, and
 * does not if a mutex keeps the two apart (-DLOCKED, all pairs in one program). */
#define _GNU_SOURCE
#include <search.h>
#include <stdarg.h>
#include <unistd.h>
#include <wchar.h>

#include "litmus.h"

/* Not static: what nobody else can read compilers leave out. */
char text[64] = "12 ab cd", other[64], *rest = text, *made;
wchar_t wide[8];
int value, numbers[4] = {4, 3, 2, 1};
struct tm moment;
struct node {
	struct node *next, *before;
} head, a, b;

static int print_to_other(const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(other, sizeof(other), format, args);
	va_end(args);
	return len;
}

static int compare(const void *x, const void *y)
{
	return *(const int *)x - *(const int *)y;
}

/* PAIR(number, one thread, the other) */
#define PAIRS \
	PAIR(1, value = atoi(text), text[0] = '9') \
	PAIR(2, value = (int)strtol(text, &made, 10), made = NULL) \
	PAIR(3, sscanf("7", "%d", &value), value = 8) \
	PAIR(4, sscanf(text, "%*d"), text[7] = 'x') \
	PAIR(5, sscanf("word", "%s", other), other[3] = 'x') \
	PAIR(6, printf("%d %.3s %g %s\n", 1, "abcd", 1.5, text), text[1] = '9') \
	PAIR(7, print_to_other("%s", text), text[2] = 'x') \
	PAIR(8, printf("ab%n\n", &value), value = 2) \
	PAIR(9, memccpy(other, text, 'b', 8), other[4] = 'x') \
	PAIR(10, made = memrchr(text, '2', 8), text[1] = '3') \
	PAIR(11, stpncpy(other, text, 16), other[15] = 'x') \
	PAIR(12, strsep(&rest, " "), rest = other) \
	PAIR(13, free((asprintf(&made, "%d", 5), made)), made = NULL) \
	PAIR(14, wmemset(wide, L'x', 8), wide[7] = L'y') \
	PAIR(15, wmemcpy(wide, L"abcd", 4), wide[3] = L'y') \
	PAIR(16, explicit_bzero(other, 8), other[7] = 'x') \
	PAIR(17, strftime(other, 8, "x", &moment), other[0] = 'y') \
	PAIR(18, strftime(other, 8, "x", &moment), moment.tm_year = 3) \
	PAIR(19, qsort(numbers, 4, sizeof(int), compare), numbers[3] = 9) \
	PAIR(20, insque(&a, &head), insque(&b, &head)) \
	PAIR(21, made = strtok_r(text, " ", &rest), text[2] = '/') \
	PAIR(22, localtime_r(&(time_t){0}, &moment), moment.tm_year = 5) \
	PAIR(23, value = (int)strtod(text, NULL), text[1] = '3') \
	PAIR(24, bcopy(text, other, 8), other[7] = 'x') \
	PAIR(25, swab(text, other, 8), other[7] = 'x')

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
#ifdef LOCKED
	pthread_mutex_lock(&lock);
#endif
}

static void leave(void)
{
#ifdef LOCKED
	pthread_mutex_unlock(&lock);
#endif
}

#ifdef LOCKED
#define IS_ASKED(number) true
#else
#define IS_ASKED(number) (number == WHICH)
#endif

THREAD(first)
{
	enter();
#define PAIR(number, one, two) if (IS_ASKED(number)) { one; }
	PAIRS
#undef PAIR
	leave();
	return NULL;
}

THREAD(second)
{
	enter();
#define PAIR(number, one, two) if (IS_ASKED(number)) { two; }
	PAIRS
#undef PAIR
	leave();
	return NULL;
}

int main(void)
{
	RUN(first, second);
	return 0;
}
