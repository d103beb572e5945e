/* A queue lock in which each waits for its predecessor, at places that turn out to be waits
 * one after the other: what was explored before is explored again. */
#include "litmus.h"

struct node {
	atomic_int locked;
};

static struct node first, nodes[3];
static struct node *_Atomic tail = &first;
static int count;

static inline __attribute__((always_inline)) void enter(struct node *mine)
{
	struct node *before;

	mine->locked = 1;
	before = atomic_exchange(&tail, mine);
	while (before->locked)
		;
	count++;
	mine->locked = 0;
}

THREAD(one)
{
	enter(&nodes[0]);
	return NULL;
}

THREAD(two)
{
	enter(&nodes[1]);
	return NULL;
}

THREAD(three)
{
	enter(&nodes[2]);
	return NULL;
}

int main(void)
{
	RUN(one, two, three);
	assert(count == 3);
	return 0;
}
