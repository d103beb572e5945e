#include "vm/machine.h"

#include <string.h>

#include "base/bug.h"
#include "base/mem.h"

struct machine machine;

struct parked_machine {
	struct machine machine;
	void *region; /* where region_leave moved it */
};

struct parked_machine *machine_leave(struct err *err)
{
	struct parked_machine *parked = mem_alloc(sizeof(*parked));

	parked->region = region_leave(err);
	if (!parked->region) {
		mem_free(parked);
		return NULL;
	}
	parked->machine = machine;
	memset(&machine, 0, sizeof(machine));
	return parked;
}

void machine_enter(struct parked_machine *parked)
{
	BUG_ON(machine.region.is_open, "another machine is entered");
	machine = parked->machine;
	region_enter(parked->region);
	mem_free(parked);
}
