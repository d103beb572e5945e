/* erlang:system_info(snifs) and erlang:is_builtin/3: which functions are native on the real VM. Here
 * some of these are Erlang code, and others are native that are Erlang code there. */
#include "vm/bifs/bif.h"
#include "vm/bifs/system_info.h"
#include "vm/code/code.h"

static const struct snif {
	const char *module, *function;
	unsigned arity;
} snifs_25[] = {
#define SNIF(module, function, arity) {module, function, arity},
#include "vm/bifs/snifs_25.def"
#undef SNIF
}, snifs_27[] = {
#define SNIF(module, function, arity) {module, function, arity},
#include "vm/bifs/snifs_27.def"
#undef SNIF
}, snifs_29[] = {
#define SNIF(module, function, arity) {module, function, arity},
#include "vm/bifs/snifs_29.def"
#undef SNIF
}, instructions[] = {{"erlang", "apply", 2}, {"erlang", "apply", 3}, {"erlang", "yield", 0}};

enum { INSTRUCTIONS = sizeof(instructions) / sizeof(*instructions) };

/* Those of the chosen release; 26 is taken as 27, and 28 as 29. */
static const struct snif *find_list(size_t *len)
{
	if (code_otp_release() <= 25) {
		*len = sizeof(snifs_25) / sizeof(*snifs_25);
		return snifs_25;
	}
	if (code_otp_release() <= 27) {
		*len = sizeof(snifs_27) / sizeof(*snifs_27);
		return snifs_27;
	}
	*len = sizeof(snifs_29) / sizeof(*snifs_29);
	return snifs_29;
}

term system_snifs(struct process *p)
{
	size_t len;
	const struct snif *snifs = find_list(&len);
	term list = NIL;

	for (size_t i = len; i-- > 0;)
		list = heap_cons(p,
				 heap_tuple3(p, atom_from_string(snifs[i].module),
					     atom_from_string(snifs[i].function),
					     small_make(snifs[i].arity)),
				 list);
	return list;
}

static bool is_among(const struct snif *list, size_t len, const char *module, const char *function,
		     int64_t arity)
{
	for (size_t i = 0; i < len; i++)
		if (list[i].arity == arity && strcmp(list[i].function, function) == 0 &&
		    strcmp(list[i].module, module) == 0)
			return true;
	return false;
}

term bif_erlang_is_builtin_3(struct process *p, const term *args)
{
	const char *module, *function;
	const struct snif *snifs;
	int64_t arity;
	size_t len;

	if (!term_is_atom(args[0]) || !term_is_atom(args[1]) || !term_is_small(args[2]))
		return bif_badarg(p);
	module = atom_text(args[0]);
	function = atom_text(args[1]);
	arity = small_value(args[2]);
	snifs = find_list(&len);
	return atom_from_bool(is_among(instructions, INSTRUCTIONS, module, function, arity) ||
			      is_among(snifs, len, module, function, arity));
}
