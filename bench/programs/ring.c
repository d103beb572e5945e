/* Thread i does s[i] = s[i-1 mod N] + 1: 2^N - 1 executions. */
#include "threads.h"

static atomic_int s[MAX_THREADS];
static int count;

static void *pass_token(void *arg)
{
	int me = thread_number(arg);

	s[me] = s[(me + count - 1) % count] + 1;
	return NULL;
}

int main(int argc, char **argv)
{
	static struct threads threads;

	count = arg_number(argc, argv, 1, 4);
	threads_start_many(&threads, pass_token, count);
	threads_join(&threads);
	return 0;
}
