/* Two threads look again and again, under one mutex, for work that nobody makes. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int work;

static void *poll(void *arg)
{
	pthread_mutex_lock(&m);
	while (!work) {
		pthread_mutex_unlock(&m);
		pthread_mutex_lock(&m);
	}
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, poll, NULL);
	pthread_create(&b, NULL, poll, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
