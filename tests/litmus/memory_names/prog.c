/* Each thread puts a block of its own into a list: names do not depend on the order. */
#include "litmus.h"

struct node {
	struct node *next;
	int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

THREAD(insert)
{
	struct node *node = malloc(sizeof(*node));

	node->value = (int)(intptr_t)arg;
	pthread_mutex_lock(&lock);
	node->next = head;
	head = node;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	RUN(insert, insert);
	while (head != NULL) {
		struct node *next = head->next;

		printf("%d\n", head->value);
		free(head);
		head = next;
	}
	return 0;
}
