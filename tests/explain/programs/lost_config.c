/* Two threads replace the configuration: each frees the one that it has seen, so the other is lost. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdatomic.h>
struct config { char *text; };
static _Atomic(struct config *) current;

static struct config *config_load(const char *text)
{
	struct config *c = malloc(sizeof *c);
	c->text = strdup(text);
	return c;
}
static void config_free(struct config *c) { if (c) { free(c->text); free(c); } }

static void *reload(void *arg)
{
	struct config *old = atomic_load(&current);
	struct config *new = config_load(arg);
	atomic_store(&current, new);
	config_free(old);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, reload, "a");
	pthread_create(&b, NULL, reload, "b");
	pthread_join(a, NULL); pthread_join(b, NULL);
	config_free(atomic_load(&current));
	return 0;
}
