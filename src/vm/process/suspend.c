#include "vm/process/suspend.h"

#include "vm/memory/region.h"
#include "vm/process/signal.h"
#include "vm/vm.h"

struct suspension *suspension_find(struct process *p, term other)
{
	struct suspension *found = p->suspensions;

	while (found && found->other != other)
		found = found->next;
	return found;
}

/* At the place that its pid has among the others: the order of the last steps of p must not
 * depend on the order in which it suspended them. */
static struct suspension *add(struct process *p, term other)
{
	struct suspension *added = region_alloc(sizeof(*added));
	struct suspension **place = &p->suspensions;

	while (*place && (*place)->other < other)
		place = &(*place)->next;
	*added = (struct suspension){.next = *place, .other = other};
	*place = added;
	return added;
}

static void end(struct process *p, struct suspension *suspension)
{
	struct process *other = process_find(p->vm, suspension->other);
	struct suspension **place = &p->suspensions;

	while (*place != suspension)
		place = &(*place)->next;
	*place = suspension->next;
	region_free(suspension, sizeof(*suspension));
	if (other && --other->suspend_count == 0)
		vm_wake(other);
}

bool process_suspend(struct process *p, struct process *other)
{
	struct suspension *suspension = suspension_find(p, other->pid);

	if (suspension ? suspension->count == UINT32_MAX : other->suspend_count == UINT32_MAX)
		return false;
	if (!suspension) {
		suspension = add(p, other->pid);
		other->suspend_count++;
	}
	suspension->count++;
	return true;
}

bool process_resume(struct process *p, term other)
{
	struct suspension *suspension = suspension_find(p, other);

	if (!suspension || !process_find(p->vm, other))
		return false;
	if (--suspension->count == 0)
		end(p, suspension);
	return true;
}

const struct suspension *suspension_at_exit(const struct process *p)
{
	const struct relation *relation = p->suspensions ? signal_exit_relation(p) : NULL;

	return relation && relation->kind == RELATION_LINK ? NULL : p->suspensions;
}

void suspension_end_first(struct process *p)
{
	end(p, p->suspensions);
}
