/* probe.h: would this receive take that message?
 *
 * Patterns and guards of a receive are code without side effects between loop_rec and
 * remove_message; that code writes registers only, some of them perhaps in the frame, and the
 * frame is put back. So the question is answered by running that code in a process made for it,
 * the *probe*. The probe has a mailbox of one message, and the stack of the process that waits
 * (or a copy of its frame, if that process has gone on since). It stops where the message would
 * be taken, or where the code would wait.
 */
#ifndef BEAM_PROBE_H
#define BEAM_PROBE_H

#include "base/arena.h"
#include "vm/vm.h"

/* A receive as it stood: where its code is and what its frame held. */
struct probe_frame {
	const word *ip;
	const word *cp;
	const term *slots;
	uint32_t slots_len;
	bool is_unknown; /* too much to keep: takes every message, for all we know */
};

/* p stands at the loop_rec of a receive. STEP_MATCHED: it takes the message with this content;
 * STEP_TIMEOUT: it does not and does not wait either (after 0); STEP_SLEEPING: it does not and
 * waits for some time; STEP_WAITING: it does not and waits for ever.
 * content TERM_NONE: as if the mailbox was empty. */
enum step_end probe_now(struct process *p, term content);

/* After STEP_SLEEPING: for how many milliseconds. */
uint64_t probe_time_ms(void);

/* Keeps in the arena what is needed to ask later. */
void probe_keep(struct probe_frame *frame, const struct process *p, struct arena *arena);
bool probe_then(const struct probe_frame *frame, term content);

#endif
