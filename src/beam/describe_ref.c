#include "beam/describe_ref.h"

#include <string.h>

#include "beam/conduct_parts.h"
#include "vm/process/relation.h"

/* Which one of the run's atomics it is, in the order in which their steps are taken. */
static size_t number_of(struct descriptions *all, term ref)
{
	size_t i = 0;

	while (i < all->atomics.len && (all->atomics.items[i].pid != ref_pid_value(ref) ||
					all->atomics.items[i].counter != ref_counter(ref)))
		i++;
	if (i == all->atomics.len)
		*vec_push(&all->atomics) =
			(struct described_ref){ref_pid_value(ref), ref_counter(ref)};
	return i + 1;
}

bool describe_is_native_of_counters(const struct bif *bif)
{
	return strcmp(bif->module, "erts_internal") == 0 &&
	       strncmp(bif->name, DESCRIBE_COUNTERS, strlen(DESCRIBE_COUNTERS)) == 0;
}

bool describe_is_counter(const struct process *p, const struct bif *bif)
{
	struct code_place place;

	return describe_is_native_of_counters(bif) ||
	       (strcmp(bif->module, "atomics") == 0 && code_find_place(p->ip, &place) &&
		strcmp(atom_text(place.module), "counters") == 0);
}

bool describe_ref(struct conductor *c, struct process *p, const struct bif *bif, struct strbuf *out)
{
	term ref = p->announced.args_len ? p->announced.args[0] : TERM_NONE;
	const struct relation *watched;

	if (ref == TERM_NONE || !term_is_ref(ref))
		return false;
	if (describe_is_counter(p, bif) || strcmp(bif->module, "atomics") == 0) {
		strbuf_addf(out, "%s#%zu", describe_is_counter(p, bif) ? "counters" : "atomics",
			    number_of(&c->descriptions, ref));
		return true;
	}
	watched = strcmp(bif->name, "demonitor") == 0 ? relation_find_ref(p, ref) : NULL;
	if (!watched || watched->kind != RELATION_MONITOR)
		return false;
	describe_add_process(c, watched->other, out);
	return true;
}
