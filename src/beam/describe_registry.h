/* describe_registry.h: steps of Elixir's Registry in the words of its callers.
 *
 * A Registry keeps its keys in ETS tables of its own. One call of it is three to six steps on them:
 *
 *	:ets.lookup_element(Rooms, -2, 2)                                  where the tables are
 *	:ets.lookup_element(Rooms.KeyPartition0, "kitchen", 2)             the key
 *
 * A program that calls Registry does not know these tables. The step on the key stands for the call:
 * `Registry.lookup(Rooms, "kitchen") → []`; the other steps are shown with `--full` only.
 */
#ifndef BEAM_DESCRIBE_REGISTRY_H
#define BEAM_DESCRIBE_REGISTRY_H

#include "beam/describe.h"
#include "vm/process/process.h"

enum registry_call {
	REGISTRY_NONE, /* not a step of Registry, or not on a key */
	REGISTRY_OWN,  /* a step that only Registry is interested in */
	REGISTRY_LOOKUP,
	REGISTRY_REGISTER,
	REGISTRY_UNREGISTER,
};

/* Adds the words for the step that the process has announced, unless it is REGISTRY_NONE or _OWN. */
enum registry_call describe_registry(struct conductor *c, const struct process *p,
				     const struct bif *bif, struct strbuf *out);

/* Adds the result; TERM_NONE: the call of ETS has failed, because the key is not there. */
void describe_registry_result(struct conductor *c, enum registry_call call, const struct bif *bif,
			      term result, struct strbuf *out);

#endif
