/* A long search through memory, without a step. memcpy() reads and writes: two accesses from one place with one state
 * of the thread. That is not a loop that has come back to where it was. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { WORDS = 30000 };

static unsigned char text[8 * WORDS];
static uint64_t found[2];

static void *search(void *arg)
{
	uint64_t *result = arg, word, sum = 0;

	for (int i = 0; i < WORDS; i++) {
		memcpy(&word, text + 8 * i, sizeof(word));
		sum += word + (memcmp(text, text, 5) != 0);
	}
	*result = sum;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	memset(text, 1, sizeof(text));
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, search, &found[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(found[0] == found[1]);
	return 0;
}
