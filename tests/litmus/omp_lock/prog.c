/* Locks of omp.h, taken in opposite orders by two threads; with FIXED in the same order. A nest
 * lock may be taken twice by its owner. */
#include <assert.h>
#include <omp.h>

static omp_lock_t a, b;
static omp_nest_lock_t nest;
static int count;

static void add(void)
{
	omp_set_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	count++;
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
}

static void take_both(omp_lock_t *first, omp_lock_t *second)
{
	omp_set_lock(first);
	omp_set_lock(second);
	omp_unset_lock(second);
	omp_unset_lock(first);
}

int main(void)
{
	omp_init_lock(&a);
	omp_init_lock(&b);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
	{
		add();
#ifdef FIXED
		take_both(&a, &b);
#else
		if (omp_get_thread_num())
			take_both(&a, &b);
		else
			take_both(&b, &a);
#endif
	}
	assert(count == 2);
	omp_destroy_nest_lock(&nest);
	omp_destroy_lock(&a);
	omp_destroy_lock(&b);
	return 0;
}
