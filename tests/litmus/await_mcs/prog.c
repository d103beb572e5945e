/* A queue lock whose nodes are on the stacks of the threads: each waits for a variable on its
 * own stack, which nobody else may have touched so far. */
#include "litmus.h"

struct node {
	struct node *_Atomic next;
	atomic_int locked;
};

static struct node *_Atomic tail;
static int count;

static void lock(struct node *mine)
{
	struct node *before = atomic_exchange(&tail, mine);

	if (!before)
		return;
	mine->locked = 1;
	before->next = mine;
	while (mine->locked)
		;
}

static void unlock(struct node *mine)
{
	struct node *expected = mine;

	if (!mine->next && atomic_compare_exchange_strong(&tail, &expected, NULL))
		return;
	while (!mine->next)
		;
	((struct node *)mine->next)->locked = 0;
}

THREAD(user)
{
	struct node mine = { 0 };

	lock(&mine);
	count++;
	unlock(&mine);
	return NULL;
}

int main(void)
{
	RUN(user, user);
	assert(count == 2);
	return 0;
}
