/* The image is looked up under the lock, and its reference is taken later, under the lock again. */
#include <pthread.h>
#include <stdlib.h>

struct image {
	char name[16];
	int refs;
};

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static struct image *cache;

static struct image *image_load(void)
{
	struct image *image = calloc(1, sizeof(*image));

	image->refs = 1;
	return image;
}

static void image_unref(struct image *image)
{
	pthread_mutex_lock(&cache_lock);
	int left = --image->refs;
	pthread_mutex_unlock(&cache_lock);
	if (left == 0)
		free(image);
}

static void *draw(void *arg)
{
	pthread_mutex_lock(&cache_lock);
	struct image *image = cache;
	pthread_mutex_unlock(&cache_lock);
	if (image) {
		pthread_mutex_lock(&cache_lock);
		image->refs++;
		pthread_mutex_unlock(&cache_lock);
		image_unref(image);
	}
	return arg;
}

static void *evict(void *arg)
{
	pthread_mutex_lock(&cache_lock);
	struct image *image = cache;
	cache = NULL;
	pthread_mutex_unlock(&cache_lock);
	image_unref(image);
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	cache = image_load();
	pthread_create(&threads[0], NULL, draw, NULL);
	pthread_create(&threads[1], NULL, evict, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
