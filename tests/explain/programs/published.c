/* A structure is published by a store that is too weak. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct config {
	int port, timeout;
};

static struct config storage;
static _Atomic(struct config *) current;

static void *listen_there(void *arg)
{
	struct config *config = atomic_load_explicit(&current, memory_order_relaxed);

	return config && config->port ? arg : NULL;
}

int main(void)
{
	pthread_t listener;

	pthread_create(&listener, NULL, listen_there, NULL);
	storage.port = 80;
	atomic_store_explicit(&current, &storage, memory_order_relaxed);
	pthread_join(listener, NULL);
	return 0;
}
