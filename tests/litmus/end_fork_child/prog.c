/* A child made before the first thread runs beside the program, uncontrolled. It shares memory
 * with it, which must really be shared. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *arg)
{
	return arg;
}

int main(void)
{
	int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;
	pid_t child;

	shared[0] = 3;
	child = fork();
	if (child == 0) {
		shared[1] = shared[0] + 1;
		_exit(0);
	}
	waitpid(child, NULL, 0);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return shared[1] != 4;
}
