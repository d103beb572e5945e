/* One step takes 0.45 s of CPU time. The clock is the kernel's, which only assembler reaches. */
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

static long used_ms(void)
{
	struct timespec used;
	long result = SYS_clock_gettime;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(CLOCK_PROCESS_CPUTIME_ID), "S"(&used)
			 : "rcx", "r11", "memory");
	return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

static void *compute(void *arg)
{
	long start = used_ms();

	while (used_ms() - start < 450)
		for (volatile int i = 0; i < 1000000; i++)
			;
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, compute, NULL);
	pthread_join(thread, NULL);
	return 0;
}
