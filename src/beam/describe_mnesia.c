#include "beam/describe_mnesia.h"

#include <string.h>

#include "beam/conduct_parts.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/ets/ets.h"
#include "vm/terms/atom.h"

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Mnesia's modules and processes have its name, and it logs with the others; an application is started and
 * stopped by a process of its own, which no other process calls. */
static bool is_of_mnesia(const char *name)
{
	return begins(name, "mnesia") || begins(name, "dets") || strcmp(name, "disk_log") == 0 ||
	       strcmp(name, "application_master") == 0;
}

/* Is the process inside of Mnesia? Not if it is in the function of a transaction, which Mnesia calls. */
static bool is_inside(const struct conductor *c, const struct process *p)
{
	const char *name = p->actor && p->actor <= c->descriptions.names.len
				   ? c->descriptions.names.items[p->actor - 1]
				   : NULL; /* also of a process that has ended and given back its name */

	return (name && is_of_mnesia(name)) || site_is_called_by_program(p, is_of_mnesia);
}

/* Does the step touch a table that is neither Mnesia's own nor that of OTP's applications? */
static bool is_on_table(struct conductor *c, const struct process *p, const struct bif *bif)
{
	term table = p->announced.args_len ? p->announced.args[0] : NIL;
	const struct ets_table *shape;

	if (!bif || strcmp(bif->module, "ets") != 0 || strcmp(bif->name, "new") == 0)
		return false;
	shape = term_is_ref(table) ? ets_find_shape(c->vm, table) : NULL;
	table = shape ? shape->name : table;
	return term_is_atom(table) && !begins(atom_text(table), "mnesia") &&
	       strcmp(atom_text(table), "schema") != 0 && strcmp(atom_text(table), "ac_tab") != 0;
}

enum mnesia_step describe_mnesia(struct conductor *c, const struct process *p, const struct bif *bif)
{
	if (!is_inside(c, p))
		return MNESIA_NONE;
	return is_on_table(c, p, bif) ? MNESIA_TABLE : MNESIA_OWN;
}

void describe_mnesia_call(const struct conductor *c, const struct bif *bif, struct strbuf *out)
{
	strbuf_addf(out, c->descriptions.is_elixir ? "mnesia's :ets.%s(" : "mnesia's ets:%s(", bif->name);
}
