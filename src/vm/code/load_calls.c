/* The calls of funs, by which a process that runs a fun gets its name. */
#include "base/arena.h"
#include "vm/code/load.h"

#include <string.h>

#include "vm/terms/atom.h"

void load_note_call(struct loader *ld, int64_t label, term module, term name)
{
	const struct load_function *function = vec_last(&ld->functions);

	if (ld->is_of_otp || atom_text(function->name)[0] != '-')
		return;
	*vec_push(&ld->calls) = (struct load_call){
		.function = (uint32_t)ld->functions.len - 1,
		.label = label,
		.module = module,
		.name = name,
	};
}

void load_make_calls(struct loader *ld)
{
	struct code_image *image = ld->image;
	struct code_call *calls = arena_alloc(&image->constants, ld->calls.len * sizeof(*calls) + 1);

	for (size_t i = 0; i < ld->calls.len; i++) {
		const struct load_call *call = &ld->calls.items[i];
		struct code_function *function = &image->functions[call->function];

		calls[i] = (struct code_call){call->module, call->name};
		if (call->label) {
			const word *entry = image->words + ld->labels[call->label];

			calls[i] = (struct code_call){entry_module(entry), entry_function(entry)};
		}
		if (!function->calls_len++)
			function->calls = &calls[i];
	}
}

bool load_is_handler_again(const struct loader *ld, int64_t label)
{
	const struct load_function *f = ld->functions.len
						? &ld->functions.items[ld->functions.len - 1]
						: NULL;

	return f && !ld->is_of_library &&
	       strncmp(atom_text(f->name), "handle_", strlen("handle_")) == 0 &&
	       ld->labels[label] > f->offset && ld->labels[label] <= ld->words.len;
}
