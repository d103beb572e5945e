/* notes.h: what our own Erlang modules tell the tool: fermata:note/1.
 *
 * A note goes past all processes: nobody on the machine can see it, so telling it is no step of a
 * run. It carries a term, who told it and during which step. Notes live in the region, in the order
 * in which they were made, and are gone with the next restore.
 */
#ifndef VM_BIFS_NOTES_H
#define VM_BIFS_NOTES_H

#include "vm/process/process.h"

struct note {
	struct note *next;
	term content;
	uint32_t actor; /* as process.actor: number plus one, 0 when it was not explored */
	uint32_t step;  /* vm->step */
	struct off_heap off_heap;
	term words[];
};

struct note_list {
	struct note *first;
	struct note *last;
};

#endif
