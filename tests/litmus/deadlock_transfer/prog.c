/* Two transfers lock the same two accounts in opposite orders. The source calls both locks
 * "from->lock". */
#include "litmus.h"

#include <stdlib.h>

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account *ann, *bob;

static void transfer(struct account *from, struct account *to, int amount)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

THREAD(there)
{
	transfer(ann, bob, 10);
	return NULL;
}

THREAD(back)
{
	transfer(bob, ann, 20);
	return NULL;
}

int main(void)
{
	ann = calloc(1, sizeof(*ann));
	bob = calloc(1, sizeof(*bob));
	pthread_mutex_init(&ann->lock, NULL);
	pthread_mutex_init(&bob->lock, NULL);
	RUN(there, back);
	return ann->balance + bob->balance;
}
