/* Memory used after it was freed, right behind a step and in another function. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *letter;

static void sign(char *text)
{
	text[0] = 'x';
}

static void *write_letter(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	sign(letter);
	return arg;
}

static void *burn_letter(void *arg)
{
	pthread_mutex_lock(&lock);
	free(letter);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t writer, burner;

	letter = calloc(1, 16);
	pthread_create(&writer, NULL, write_letter, NULL);
	pthread_create(&burner, NULL, burn_letter, NULL);
	pthread_join(writer, NULL);
	pthread_join(burner, NULL);
	return 0;
}
