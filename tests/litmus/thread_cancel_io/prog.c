/* A thread is cancelled while it holds a lock, in a call that is a cancellation point; with
 * -DSAFE cancellation is off meanwhile. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void call(void)
{
	char byte = 0;

#if CALL == 0
	if (pread(0, &byte, 1, 0) < 0)
		return;
#elif CALL == 1
	if (read(0, &byte, 1) < 0)
		return;
#elif CALL == 2
	fsync(1);
#elif CALL == 3
	tcdrain(1);
#elif CALL == 4
	waitpid(-1, NULL, WNOHANG);
#else
	if (write(1, &byte, 1) < 0)
		return;
#endif
}

static void *work(void *arg)
{
	int old;

#ifdef SAFE
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
#endif
	pthread_mutex_lock(&mutex);
	call();
	pthread_mutex_unlock(&mutex);
	(void)old;
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	return 0;
}
