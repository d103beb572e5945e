/* A call reads memory that its argument points to, and main writes the memory at the same time. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#if CALL == 0
static char text[16] = "/dev/null";
#define SETUP (void)0
#define DO open(text, O_RDONLY)
#define WRITE text[1] = 100
#elif CALL == 1
static char text[16] = "/dev/null";
#define SETUP (void)0
#define DO fopen(text, "r")
#define WRITE text[1] = 100
#elif CALL == 2
static char text[4] = "r";
#define SETUP (void)0
#define DO fopen("/dev/null", text)
#define WRITE text[1] = 0
#elif CALL == 3
static char text[16] = "missing";
#define SETUP (void)0
#define DO unlink(text)
#define WRITE text[1] = 100
#elif CALL == 4
static char text[16] = "/";
#define SETUP (void)0
#define DO access(text, F_OK)
#define WRITE text[1] = 0
#elif CALL == 5
static char text[16] = "/";
#define SETUP (void)0
#define DO chdir(text)
#define WRITE text[1] = 0
#elif CALL == 6
static char text[16] = "/name";
#define SETUP (void)0
#define DO sem_unlink(text)
#define WRITE text[1] = 97
#elif CALL == 7
static char text[8] = "abc";
#define SETUP (void)0
#define DO pthread_setname_np(pthread_self(), text)
#define WRITE text[0] = 120
#elif CALL == 8
static sem_t sem;
static struct timespec at;
#define SETUP (void)0
#define DO sem_timedwait(&sem, &at)
#define WRITE at.tv_nsec = 5
#elif CALL == 9
static pthread_mutex_t mutex;
static struct timespec at;
#define SETUP (void)0
#define DO (pthread_mutex_timedlock(&mutex, &at) || pthread_mutex_unlock(&mutex))
#define WRITE at.tv_nsec = 5
#elif CALL == 10
static pthread_rwlock_t lock;
static struct timespec at;
#define SETUP (void)0
#define DO (pthread_rwlock_timedrdlock(&lock, &at) || pthread_rwlock_unlock(&lock))
#define WRITE at.tv_nsec = 5
#elif CALL == 11
static struct timespec at;
#define SETUP (void)0
#define DO clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL)
#define WRITE at.tv_nsec = 5
#elif CALL == 12
static struct timeval at;
#define SETUP (void)0
#define DO select(0, NULL, NULL, NULL, &at)
#define WRITE at.tv_usec = 1
#elif CALL == 13
static sigset_t set;
static struct timespec at;
#define SETUP (void)0
#define DO ppoll(NULL, 0, &at, &set)
#define WRITE set = (sigset_t){0}
#elif CALL == 14
static sigset_t set;
#define SETUP (void)0
#define DO pthread_sigmask(SIG_UNBLOCK, &set, NULL)
#define WRITE set = (sigset_t){0}
#elif CALL == 15
static struct sigaction action;
#define SETUP (void)0
#define DO sigaction(SIGUSR1, &action, NULL)
#define WRITE action.sa_flags = 0
#elif CALL == 16
static pthread_attr_t attr;
static pthread_t made;
#define SETUP pthread_attr_init(&attr)
#define DO pthread_create(&made, &attr, nothing, NULL)
#define WRITE pthread_attr_setstacksize(&attr, 1 << 20)
#elif CALL == 17
static pthread_mutexattr_t attr;
static pthread_mutex_t mutex;
#define SETUP pthread_mutexattr_init(&attr)
#define DO pthread_mutex_init(&mutex, &attr)
#define WRITE pthread_mutexattr_settype(&attr, 1)
#elif CALL == 18
static int fds[2], epoll;
static struct epoll_event event;
#define SETUP epoll = pipe(fds) ? 0 : epoll_create1(0)
#define DO epoll_ctl(epoll, EPOLL_CTL_ADD, fds[0], &event)
#define WRITE event.events = 1
#elif CALL == 19
static int fds[2];
static char byte;
static struct iovec part = {&byte, 1};
#define SETUP (pipe(fds) ? exit(1) : (void)0)
#define DO writev(fds[1], &part, 1)
#define WRITE part.iov_len = 0
#elif CALL == 20
static struct flock lock = {.l_type = F_WRLCK};
#define SETUP (void)0
#define DO fcntl(0, F_SETLK, &lock)
#define WRITE lock.l_type = F_RDLCK
#elif CALL == 21
static cpu_set_t set;
#define SETUP (void)0
#define DO pthread_setaffinity_np(pthread_self(), sizeof(set), &set)
#define WRITE CPU_SET(0, &set)
#elif CALL == 22
static struct sched_param param;
#define SETUP (void)0
#define DO pthread_setschedparam(pthread_self(), SCHED_OTHER, &param)
#define WRITE param.sched_priority = 0
#elif CALL == 23
static int fd;
static struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = 9000};
#define SETUP to.sin_addr.s_addr = htonl(INADDR_LOOPBACK); fd = socket(AF_INET, SOCK_DGRAM, 0)
#define DO sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof(to))
#define WRITE to.sin_port = 99
#elif CALL == 24 /* a descriptor that is none of the program's threads' */
static struct pollfd looked_at;
#define SETUP (void)0
#define DO poll(&looked_at, 1, 0)
#define WRITE looked_at.events = 0
#elif CALL == 25
static jmp_buf place;
#define SETUP (void)0
#define DO setjmp(place)
#define WRITE setjmp(place)
#elif CALL == 26
static char *words[] = {"prog", "file", "-a", NULL};
#define SETUP (void)0
#define DO getopt(3, words, "a")
#define WRITE words[1] = "other"
#elif CALL == 27 /* the time zone belongs to the arguments */
static char text[16];
static struct tm moment;
#define SETUP (void)0
#define DO strftime(text, sizeof(text), "%s", &moment)
#define WRITE setenv("TZ", "EST5", 1)
#endif

__attribute__((unused)) static void *nothing(void *arg)
{
	return arg;
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
	WRITE;
	pthread_join(thread, NULL);
	return 0;
}
