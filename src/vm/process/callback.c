#include "vm/process/callback.h"

#include "vm/code/code.h"

void callback_begin(struct process *p)
{
	p->callback = (struct callback){.is_sought = true};
}

void callback_enter(struct process *p, const word *code)
{
	struct code_place place;

	if (code && (!code_find_place(code, &place) || code_is_of_library(p->vm, place.module)))
		return;
	if (!code || p->callback.entry)
		p->callback.is_sought = false;
	else
		p->callback.entry = code;
}

static bool is_in(const struct code_place *function, const word *at)
{
	struct code_place place;

	return at && code_find_place(at, &place) && place.image == function->image &&
	       place.function == function->function && place.arity == function->arity;
}

const word *callback_place(const struct process *p, const word *ip, const word *cp, const term *e)
{
	struct code_place function;
	const word *at;

	if (!p->callback.entry || !code_find_place(p->callback.entry, &function))
		return NULL;
	if (is_in(&function, ip))
		return ip;
	if (cp && is_in(&function, cp - 1))
		return cp - 1;
	for (; e && e < p->hend; e++) {
		at = (const word *)(uintptr_t)*e;
		if (at && (*e & TAG_MASK) == TAG_HEADER && is_in(&function, at - 1))
			return at - 1;
	}
	return NULL;
}
