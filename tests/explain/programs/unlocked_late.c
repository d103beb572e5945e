/* The last one to put a job away frees it, and the lock that it still holds with it. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	pthread_mutex_t lock;
	int refs;
};

static struct job *job;

static void job_put(struct job *j)
{
	int left;

	pthread_mutex_lock(&j->lock);
	left = --j->refs;
	if (left == 0)
		free(j);
	pthread_mutex_unlock(&j->lock);
}

static void *worker(void *arg)
{
	job_put(job);
	return arg;
}

int main(void)
{
	pthread_t thread;

	job = malloc(sizeof(*job));
	pthread_mutex_init(&job->lock, NULL);
	job->refs = 2;
	pthread_create(&thread, NULL, worker, NULL);
	job_put(job);
	pthread_join(thread, NULL);
	return 0;
}
