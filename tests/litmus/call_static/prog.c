/* Functions that leave their result in a variable of the library: two threads that call them
 * race, also where only the result is read without a lock. */
#include <grp.h>
#include <locale.h>
#include <pwd.h>
#include <search.h>

#include "litmus.h"

static char line[] = "a b", other[] = "c d";
static time_t moment;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#if WHICH == 1
#define CALL(text) strtok(text, " ")
#elif WHICH == 2
#define CALL(text) gmtime(&moment)
#elif WHICH == 3
#define CALL(text) ctime(&moment)
#elif WHICH == 4
#define CALL(text) getpwnam("root")
#elif WHICH == 5
#define CALL(text) setenv(text, "1", 1)
#elif WHICH == 6
#define CALL(text) (text == line ? (void)getenv("HOME") : (void)setenv("HOME", text, 1))
#elif WHICH == 7
#define CALL(text) hcreate(8)
#elif WHICH == 8
#define CALL(text) localeconv()
#elif WHICH == 9
#define CALL(text) getgrgid(0)
#elif WHICH == 10
#define CALL(text) setlocale(LC_ALL, "C")
#elif WHICH == 11
#define CALL(text) putenv(text)
#endif

#ifdef RESULT
/* The calls are apart; the result of the first is read while the second writes it anew. */
THREAD(first)
{
	struct tm *found;

	pthread_mutex_lock(&lock);
	found = gmtime(&moment);
	pthread_mutex_unlock(&lock);
	assert(found->tm_mon == 0);
	return NULL;
}

THREAD(second)
{
	time_t later = 86400l * 100;

	pthread_mutex_lock(&lock);
	gmtime(&later);
	pthread_mutex_unlock(&lock);
	return NULL;
}
#elif defined LOCKED
static void *call(char *text)
{
	pthread_mutex_lock(&lock);
	strtok(text, " ");
	gmtime(&moment);
	ctime(&moment);
	setenv("MINE", "1", 1);
	getenv("MINE");
	localeconv();
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(first)
{
	return call(line);
}

THREAD(second)
{
	return call(other);
}
#else
THREAD(first)
{
	CALL(line);
	return NULL;
}

THREAD(second)
{
	CALL(other);
	return NULL;
}
#endif

int main(void)
{
	RUN(first, second);
	return 0;
}
