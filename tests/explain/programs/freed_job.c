/* The worker needs a reference of its own: the job may be freed before it begins. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct job { char name[16]; int result; pthread_mutex_t lock; int refs; };
static struct job *current;
static void job_put(struct job *job)
{
	pthread_mutex_lock(&job->lock);
	int left = --job->refs;
	pthread_mutex_unlock(&job->lock);
	if (left == 0)
		free(job);
}
static void *worker(void *arg)
{
	struct job *job = arg;
	pthread_mutex_lock(&job->lock);
	job->result = 42;
	pthread_mutex_unlock(&job->lock);
	job_put(job);
	return NULL;
}
int main(void)
{
	struct job *job = malloc(sizeof *job);
	memset(job, 0, sizeof *job);
	strcpy(job->name, "resize");
	pthread_mutex_init(&job->lock, NULL);
	job->refs = 1;
	pthread_t t;
	pthread_create(&t, NULL, worker, job);
	job_put(job);
	pthread_join(t, NULL);
	return 0;
}
