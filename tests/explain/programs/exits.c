#include <pthread.h>
#include <stdlib.h>

static void *t(void *arg)
{
	(void)arg;
	exit(0);
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t, NULL);
	exit(3);
}
