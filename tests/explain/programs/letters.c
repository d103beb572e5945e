/* A letter that was posted, but not yet taken, is lost when the mailbox is closed. */
#include <pthread.h>
#include <stdlib.h>

struct letter {
	struct letter *next;
	int number;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct letter *first;
static int is_closed;

static void *post(void *arg)
{
	struct letter *letter = malloc(sizeof(*letter));

	letter->number = 1;
	pthread_mutex_lock(&mutex);
	letter->next = first;
	first = letter;
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *take(void *arg)
{
	struct letter *letter = NULL;

	pthread_mutex_lock(&mutex);
	if (first && !is_closed) {
		letter = first;
		first = letter->next;
	}
	pthread_mutex_unlock(&mutex);
	free(letter);
	return arg;
}

int main(void)
{
	pthread_t poster, taker;

	pthread_create(&poster, NULL, post, NULL);
	pthread_join(poster, NULL);
	pthread_create(&taker, NULL, take, NULL);
	pthread_mutex_lock(&mutex);
	is_closed = 1;
	pthread_mutex_unlock(&mutex);
	pthread_join(taker, NULL);
	return 0;
}
