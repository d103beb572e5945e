/* pthread_self is what pthread_create gave, and differs from thread to thread. */
#include "litmus.h"

static pthread_t selves[2];

THREAD(note)
{
	selves[(intptr_t)arg] = pthread_self();
	return NULL;
}

int main(void)
{
	pthread_t ids[2];

	for (intptr_t i = 0; i < 2; i++)
		OK(pthread_create(&ids[i], NULL, note, (void *)i));
	for (int i = 0; i < 2; i++) {
		join(ids[i]);
		assert(pthread_equal(ids[i], selves[i]));
	}
	assert(!pthread_equal(selves[0], selves[1]));
	return 0;
}
