/* A call that reads many bytes takes many steps at one place with --all-plain. They are not
 * turns of a loop: neither the write of a long buffer nor a comparison of two words. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char text[200];
static long one, other;

static void *fill(void *arg)
{
	pthread_mutex_lock(&mutex);
	memset(text, 'x', sizeof(text));
	one = other = 5;
	pthread_mutex_unlock(&mutex);
	return arg;
}

static void *show(void *arg)
{
	int equal;

	pthread_mutex_lock(&mutex);
	equal = memcmp(&one, &other, sizeof(one)) == 0;
	pthread_mutex_unlock(&mutex);
	if (write(1, equal ? "equal\n" : "different\n", 6) != 6)
		return NULL;
	pthread_mutex_lock(&mutex);
	write(1, text, sizeof(text));
	pthread_mutex_unlock(&mutex);
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, fill, NULL);
	pthread_create(&threads[1], NULL, show, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
