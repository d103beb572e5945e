/* A write that would take the counter of an eventfd past its limit waits for ever, as nobody reads.
 * -DREAD: a reader makes room; such a wait is not modelled, and control is lost. */
#include "litmus.h"

#include <sys/eventfd.h>

static int counter;

THREAD(writer)
{
	OK(eventfd_write(counter, UINT64_MAX - 2));
	OK(eventfd_write(counter, 2));
	return NULL;
}

THREAD(reader)
{
#ifdef READ
	eventfd_t value;

	OK(eventfd_read(counter, &value));
#endif
	return NULL;
}

int main(void)
{
	counter = eventfd(0, 0);
	RUN(writer, reader);
	return 0;
}
