// All locks are taken in the constructor of one class: the lines that make its objects say where.
#include <pthread.h>
#include <thread>

struct guard {
	pthread_mutex_t &mutex;

	explicit guard(pthread_mutex_t &m) : mutex(m)
	{
		pthread_mutex_lock(&mutex);
	}
	~guard()
	{
		pthread_mutex_unlock(&mutex);
	}
};

static pthread_mutex_t orders = PTHREAD_MUTEX_INITIALIZER, stock = PTHREAD_MUTEX_INITIALIZER;
static int sold, left = 10;

static void sell()
{
	guard on_orders(orders);
	guard on_stock(stock);

	sold++;
	left--;
}

static void count()
{
	guard on_stock(stock);
	guard on_orders(orders);

	left = 10 - sold;
}

int main()
{
	std::thread seller(sell), counter(count);

	seller.join();
	counter.join();
}
