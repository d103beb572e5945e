/* A loop that waits for a flag and leaves something behind with every turn, where no store of
 * its own shows: the turns are not void, and the third of them fails. */
#include <fcntl.h>

#include "litmus.h"

static atomic_int flag;
static char text[] = "a b c d e f g h", *rest = text;

static bool turn_is_bad(void)
{
#if WHICH == 1
	return open("/dev/null", O_RDONLY) > 8;
#elif WHICH == 2
	strsep(&rest, " ");
	return rest && *rest == 'd';
#elif WHICH == 3
	return ++errno > 3;
#elif WHICH == 4
	return rand() % 4 == 1;
#elif WHICH == 5
	return (long)pthread_getspecific(0) > 3 ||
	       pthread_setspecific(0, (char *)pthread_getspecific(0) + 1) != 0;
#endif
}

THREAD(wait_for_flag)
{
	errno = 0;
	while (!flag)
		assert(!turn_is_bad());
	return NULL;
}

THREAD(set_flag)
{
	flag = 1;
	return NULL;
}

int main(void)
{
	pthread_key_t key;

	OK(pthread_key_create(&key, NULL));
	RUN(wait_for_flag, set_flag);
	return 0;
}
