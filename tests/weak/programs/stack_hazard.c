/* A stack after Treiber with hazard pointers: a popped node is freed only if the other thread has not
 * published it. Publishing must be seq_cst against the look at the published pointers.
 *
 * rc11: proved
 * rc11 -DPROTECT=relaxed: memory
 * rc11 -DPROTECT=relaxed suggests: store hazard: seq_cst instead of relaxed
 * tso -DPROTECT=relaxed: memory
 */
#include <stdbool.h>

#include "weak.h"

#ifndef PROTECT
#define PROTECT seq_cst
#endif

struct node {
	int value;
	struct node *next;
};

_Atomic(struct node *) top;
_Atomic(struct node *) hazard;
struct node *kept; /* could not be freed yet */

static void *retire(void *unused)
{
	struct node *node = LOAD_FROM(top, seq_cst);

	if (!CAS(top, node, node->next, seq_cst, seq_cst))
		return unused;
	if (LOAD_FROM(hazard, seq_cst) != node)
		free(node);
	else
		kept = node;
	return unused;
}

static void *look(void *unused)
{
	struct node *node = LOAD_FROM(top, acquire);

	STORE_TO(hazard, node, PROTECT);
	if (node && LOAD_FROM(top, seq_cst) == node)
		assert(node->value == 5);
	STORE_TO(hazard, NULL, release);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	struct node *node = malloc(sizeof(*node));

	node->value = 5;
	node->next = NULL;
	atomic_init(&top, node);
	pthread_create(&threads[0], NULL, retire, NULL);
	pthread_create(&threads[1], NULL, look, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	free(kept);
	return 0;
}
