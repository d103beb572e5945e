/* sort.c: qsort, which may be left in the middle: the function that compares may take locks.
 *
 * The library reads and writes the array before, between and after the comparisons. So the array is accessed at
 * the beginning and again after every comparison in which the thread has made a step:
 *
 *     compare: lock; calls++; unlock        the array is written behind the last unlock, too
 */
#include <stdlib.h>

#include "runtime/intercept.h"
#include "runtime/origin.h"

struct sort {
	void *base;
	size_t size;
	int (*compare)(const void *, const void *);
	int (*compare_with)(const void *, const void *, void *);
	void *context;
	uint64_t site;
	uint32_t ordinal; /* of the thread's last step when the array was accessed */
};

static void touch(struct sort *sort)
{
	sort->ordinal = rt_self()->ordinal;
	rt_plain(sort->base, sort->size, false, sort->site);
	rt_plain(sort->base, sort->size, true, sort->site);
}

static int compare(const void *a, const void *b, void *context)
{
	struct sort *sort = context;
	int result = sort->compare ? sort->compare(a, b) : sort->compare_with(a, b, sort->context);

	if (rt_self()->ordinal != sort->ordinal)
		touch(sort);
	return result;
}

static void sort_noted(struct sort *sort, size_t count, size_t size)
{
	sort->size = count * size;
	if (sort->size)
		touch(sort);
	REAL(qsort_r)(sort->base, count, size, compare, sort);
}

INTERCEPT(void, qsort, (void *base, size_t count, size_t size, int (*with)(const void *, const void *)))
{
	struct sort sort = {.base = base, .compare = with, .site = RT_SITE};

	if (rt_is_called_by_program(RT_SITE))
		sort_noted(&sort, count, size);
	else
		REAL(qsort)(base, count, size, with);
}

INTERCEPT(void, qsort_r, (void *base, size_t count, size_t size,
			  int (*with)(const void *, const void *, void *), void *context))
{
	struct sort sort = {.base = base, .compare_with = with, .context = context, .site = RT_SITE};

	if (rt_is_called_by_program(RT_SITE))
		sort_noted(&sort, count, size);
	else
		REAL(qsort_r)(base, count, size, with, context);
}
