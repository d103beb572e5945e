/* stack_text.h: the texts that the real VM writes into its crash dumps: the stack of a process, all
 * processes, loaded code. Never in a search: it shows a process in the middle of a step.
 *
 * A place in code is the module's own: 0x0000000000000058 (m:f/1 + 24) is 88 bytes behind the start of
 * m, since the real addresses differ from run to run. */
#ifndef VM_BIFS_STACK_TEXT_H
#define VM_BIFS_STACK_TEXT_H

#include "base/strbuf.h"
#include "vm/process/process.h"

/* Nothing for a sensitive process. native: the native function that it is in, "m:f/1", or NULL. */
void stack_text(const struct process *of, const char *native, struct strbuf *out);
/* The same as a binary on p's heap; p is in that function. */
term stack_text_binary(struct process *p, const struct process *of, const char *native);
/* The process in a crash dump, as a binary on p's heap. */
term process_dump(struct process *p, const struct process *of);
/* erlang:system_info(info | procs | loaded | dist); TERM_NONE: another item. */
term system_dump(struct process *p, term item);

#endif
