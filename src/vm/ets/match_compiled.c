#include "vm/ets/match_compiled.h"

#include "vm/ets/ets.h"
#include "vm/memory/heap.h"
#include "vm/process/mailbox.h"
#include "vm/terms/compare.h"
#include "vm/vm.h"

term match_compiled_spec(struct vm *vm, term t)
{
	struct message *kept;

	if (!term_is_ref(t))
		return TERM_NONE;
	kept = ref_table_find(&vm->ets->compiled, t);
	return kept ? kept->content : TERM_NONE;
}

term match_compiled_reference(struct process *p, term spec)
{
	term *box = heap_alloc(p, REF_WORDS), ref = boxed_make(box), known;

	box[0] = header_make(KIND_REF, REF_WORDS - 1);
	box[1] = 0;
	box[2] = term_hash(spec) & REF_COUNTER_MASK;
	box[3] = REF_MATCH_SPEC;
	while ((known = match_compiled_spec(p->vm, ref)) != TERM_NONE) {
		if (term_equal(known, spec))
			return ref;
		box[2] = (box[2] + 1) & REF_COUNTER_MASK;
	}
	ref_table_add(&p->vm->ets->compiled, ref, message_new(spec, p->pid));
	return ref;
}
