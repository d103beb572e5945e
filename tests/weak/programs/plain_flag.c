/* A flag that is not atomic: a data race. If races are ignored, plain accesses run as relaxed atomics,
 * and the reader may see the flag and not the data, which is a third execution.
 *
 * rc11: race
 * rc11 --ignore=race: unproved 3
 * tso --ignore=race: unproved 2
 */
#include "weak.h"

int flag, data;
volatile int sink;

static void *write_both(void *unused)
{
	data = 1;
	flag = 1;
	return unused;
}

static void *read_both(void *unused)
{
	if (flag)
		sink = data;
	return unused;
}

MAIN(write_both, read_both)
