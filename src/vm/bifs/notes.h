/* notes.h: terms that the tool's own Erlang modules pass to the tool (fermata:note/1).
 *
 * No process can see a note, so making one is not a step. A note holds a term, the process that
 * made it and the number of the step. Notes live in the region, in the order in which they were
 * made; the next restore removes them.
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
