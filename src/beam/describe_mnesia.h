/* describe_mnesia.h: steps of Mnesia in the words of its callers.
 *
 * A transaction that writes one record is some fifty steps: its caller asks the processes of Mnesia
 * for a number and for locks, reads how the table is stored, and keeps a log. At last it writes
 * into the ETS table that holds the data. A program that calls Mnesia knows only the table. The
 * step on the table stands for the call:
 *
 *	mnesia's ets:lookup(account, 1) → [{account,1,100}]
 *	mnesia's ets:insert(account, {account,1,40})
 *
 * Whether the program called mnesia:read/2 in a transaction or mnesia:dirty_read/2 is not visible there, and is
 * often the bug, so the step does not bear the name of either.
 *
 * All other steps, also those of Mnesia's own processes, are shown with `--full` only.
 */
#ifndef BEAM_DESCRIBE_MNESIA_H
#define BEAM_DESCRIBE_MNESIA_H

#include "beam/describe.h"
#include "vm/process/process.h"

enum mnesia_step {
	MNESIA_NONE,  /* not a step of Mnesia */
	MNESIA_OWN,   /* a step that only Mnesia is interested in */
	MNESIA_TABLE, /* a call on a table of the program */
};

/* Classifies the step that the process has announced. `bif` is the native function that it calls, or NULL. */
enum mnesia_step describe_mnesia(struct conductor *c, const struct process *p, const struct bif *bif);

/* The words for the function, "mnesia's ets:lookup(", of a step on a table. */
void describe_mnesia_call(const struct conductor *c, const struct bif *bif, struct strbuf *out);

#endif
