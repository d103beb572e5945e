/* A thread waits until another has used its local variables, and ends then: this is correct. */
#include <semaphore.h>

#include "litmus.h"

struct request {
	int value;
	sem_t done;
};

static _Atomic(struct request *) shared;

THREAD(owner)
{
	struct request request = {.value = 1};

	OK(sem_init(&request.done, 0, 0));
	shared = &request;
	OK(sem_wait(&request.done));
	assert(request.value == 2);
	return NULL;
}

THREAD(user)
{
	struct request *request;

	while (!(request = shared))
		;
	request->value = 2;
	OK(sem_post(&request->done));
	return NULL;
}

int main(void)
{
	RUN(owner, user);
	return 0;
}
