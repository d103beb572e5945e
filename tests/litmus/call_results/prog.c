/* Two threads let a call leave its result in the same variable. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <threads.h>
#include <unistd.h>

#if CALL == 0
static void *out;
#define SETUP (void)0
#define DO posix_memalign(&out, 16, 16)
#elif CALL == 1
static int out;
#define SETUP (void)0
#define DO pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &out)
#elif CALL == 2
static int out;
#define SETUP (void)0
#define DO pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &out)
#elif CALL == 3
static sigset_t out;
#define SETUP (void)0
#define DO pthread_sigmask(SIG_BLOCK, NULL, &out)
#elif CALL == 4
static sigset_t out;
#define SETUP (void)0
#define DO sigprocmask(SIG_BLOCK, NULL, &out)
#elif CALL == 5
static struct sigaction out;
#define SETUP (void)0
#define DO sigaction(SIGUSR1, NULL, &out)
#elif CALL == 6
static stack_t out;
#define SETUP (void)0
#define DO sigaltstack(NULL, &out)
#elif CALL == 7
static struct sched_param out;
#define SETUP (void)0
#define DO pthread_getschedparam(pthread_self(), &(int){0}, &out)
#elif CALL == 8
static cpu_set_t out;
#define SETUP (void)0
#define DO pthread_getaffinity_np(pthread_self(), sizeof(out), &out)
#elif CALL == 9
static pthread_attr_t out;
#define SETUP (void)0
#define DO pthread_getattr_np(pthread_self(), &out)
#elif CALL == 10
static clockid_t out;
#define SETUP (void)0
#define DO pthread_getcpuclockid(pthread_self(), &out)
#elif CALL == 11
static int fds[2], out;
#define SETUP (pipe(fds) ? exit(1) : (void)0)
#define DO ioctl(fds[0], FIONREAD, &out)
#elif CALL == 12
static struct flock out = {.l_type = F_WRLCK};
#define SETUP (void)0
#define DO fcntl(0, F_GETLK, &out)
#elif CALL == 13
static pthread_attr_t attr;
static size_t out;
#define SETUP pthread_attr_init(&attr)
#define DO pthread_attr_getstacksize(&attr, &out)
#elif CALL == 14
static pthread_mutexattr_t attr;
static int out;
#define SETUP pthread_mutexattr_init(&attr)
#define DO pthread_mutexattr_gettype(&attr, &out)
#elif CALL == 15
static int out;
#define SETUP (void)0
#define DO join_into(&out)
#endif

static int give(void *arg)
{
	return arg != NULL;
}

__attribute__((unused)) static int join_into(int *out)
{
	thrd_t thread;

	thrd_create(&thread, give, NULL);
	return thrd_join(thread, out);
}

static void *call(void *arg)
{
	(void)!DO;
	return arg;
}

int main(void)
{
	pthread_t thread;

	SETUP;
	pthread_create(&thread, NULL, call, NULL);
	call(NULL);
	pthread_join(thread, NULL);
	return 0;
}
