/* State of the kernel that threads share and that is not modelled: named, whoever asks for it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *work(void *arg)
{
#if CALL == 0
	flock(0, LOCK_SH);
#elif CALL == 1
	umask(077);
#elif CALL == 2
	semctl(semget(IPC_PRIVATE, 1, 0600), 0, IPC_RMID);
#elif CALL == 3
	msgctl(msgget(IPC_PRIVATE, 0600), IPC_RMID, NULL);
#elif CALL == 4
	sigqueue(getpid(), 0, (union sigval){.sival_int = 1});
#else
	syscall(SYS_personality, 0xffffffff);
#endif
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
