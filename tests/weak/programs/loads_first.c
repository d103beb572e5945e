/* Load buffering is not allowed by RC11: a value cannot come out of thin air.
 *
 * tso: proved 3
 * rc11: proved 3
 */
#define CHECK assert(!(saw_x && saw_y))
#include "weak.h"

atomic_int x, y;
int saw_x, saw_y;

static void *first(void *unused)
{
	saw_x = LOAD_FROM(x, relaxed);
	STORE_TO(y, 1, relaxed);
	return unused;
}

static void *second(void *unused)
{
	saw_y = LOAD_FROM(y, relaxed);
	STORE_TO(x, 1, relaxed);
	return unused;
}

MAIN(first, second)
