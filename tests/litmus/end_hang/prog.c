/* A loop without a visible step that never ends. Nobody else can go on: a hang. -DOTHERS: the
 * first thread could go on, so all that is known is that control is lost. -DBLOCKED: it waits in
 * a call that nobody models. -DSTART: before the first thread. */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *work(void *arg)
{
#ifdef BLOCKED
	syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
#else
	for (volatile long turn = 0;; turn++)
		;
#endif
	return arg;
}

int main(void)
{
	pthread_t thread, other;

#ifdef START
	work(NULL);
#endif
	pthread_create(&thread, NULL, work, NULL);
#ifdef OTHERS
	pthread_create(&other, NULL, work, NULL);
#endif
	(void)other;
	pthread_join(thread, NULL);
	return 0;
}
