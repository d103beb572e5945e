/* A printer waits for paper; the clerk fills the tray without the lock around the test. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct tray {
	pthread_mutex_t guard;
	pthread_cond_t filled;
	atomic_int sheets;
};

static struct tray tray = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void *printer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&tray.guard);
	while (atomic_load(&tray.sheets) == 0)
		pthread_cond_wait(&tray.filled, &tray.guard);
	atomic_fetch_sub(&tray.sheets, 1);
	pthread_mutex_unlock(&tray.guard);
	return NULL;
}

static void *clerk(void *arg)
{
	(void)arg;
	atomic_fetch_add(&tray.sheets, 1);
	pthread_cond_signal(&tray.filled);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, printer, NULL);
	pthread_create(&b, NULL, clerk, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
