/* Two transfers between the same two accounts lock them in opposite orders. */
#include <pthread.h>
#include <stddef.h>

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account alice = { PTHREAD_MUTEX_INITIALIZER, 100 };
static struct account bob = { PTHREAD_MUTEX_INITIALIZER, 100 };

static void transfer(struct account *from, struct account *to, int amount)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

static void *pay_bob(void *arg)
{
	transfer(&alice, &bob, 10);
	return arg;
}

static void *pay_alice(void *arg)
{
	transfer(&bob, &alice, 20);
	return arg;
}

int main(void)
{
	pthread_t payers[2];

	pthread_create(&payers[0], NULL, pay_bob, NULL);
	pthread_create(&payers[1], NULL, pay_alice, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(payers[i], NULL);
	return 0;
}
