/* The event loop and the thread pool of libuv, as small as they go. A worker runs a request, puts it
 * on the list of finished ones and wakes the loop through a descriptor; the loop takes the list and
 * calls back. As in libuv, a flag saves the write if a wake-up is under way already.
 *
 * With LOST the loop clears the flag only after it has taken the list: a request that ends in
 * between does not wake the loop, which then waits for ever. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { REQUESTS = 2 };

struct request {
	struct request *next;
	int result;
};

static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER, done_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_work = PTHREAD_COND_INITIALIZER;
static struct request *work, *done;
static atomic_int is_pending;
static int wakeup, stopping;

static void wake_loop(void)
{
	uint64_t one = 1;

	if (!atomic_exchange(&is_pending, 1))
		assert(write(wakeup, &one, sizeof(one)) == sizeof(one));
}

static struct request *next_work(void)
{
	struct request *one;

	pthread_mutex_lock(&work_lock);
	while (!work && !stopping)
		pthread_cond_wait(&has_work, &work_lock);
	one = work;
	if (one)
		work = one->next;
	pthread_mutex_unlock(&work_lock);
	return one;
}

static void *serve(void *arg)
{
	struct request *one;

	while ((one = next_work())) {
		one->result++;
		pthread_mutex_lock(&done_lock);
		one->next = done;
		done = one;
		pthread_mutex_unlock(&done_lock);
		wake_loop();
	}
	return arg;
}

static void queue(struct request *one)
{
	pthread_mutex_lock(&work_lock);
	one->next = work;
	work = one;
	pthread_cond_signal(&has_work);
	pthread_mutex_unlock(&work_lock);
}

static void stop(pthread_t thread)
{
	pthread_mutex_lock(&work_lock);
	stopping = 1;
	pthread_cond_signal(&has_work);
	pthread_mutex_unlock(&work_lock);
	pthread_join(thread, NULL);
}

/* One turn of the loop: the number of requests that were called back. */
static int turn(void)
{
	struct pollfd one = {.fd = wakeup, .events = POLLIN};
	struct request *list;
	uint64_t count;
	int called = 0;

	assert(poll(&one, 1, -1) == 1);
	assert(read(wakeup, &count, sizeof(count)) == sizeof(count));
#ifndef LOST
	atomic_store(&is_pending, 0);
#endif
	pthread_mutex_lock(&done_lock);
	list = done;
	done = NULL;
	pthread_mutex_unlock(&done_lock);
#ifdef LOST
	atomic_store(&is_pending, 0);
#endif
	for (; list; list = list->next, called++)
		assert(list->result == 1);
	return called;
}

int main(void)
{
	struct request requests[REQUESTS] = {0};
	pthread_t thread;

	wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_create(&thread, NULL, serve, NULL);
	for (int i = 0; i < REQUESTS; i++)
		queue(&requests[i]);
	for (int called = 0; called < REQUESTS;)
		called += turn();
	stop(thread);
	close(wakeup);
	return 0;
}
