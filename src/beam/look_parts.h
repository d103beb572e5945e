/* look_parts.h: shared by look.c, which only reads, and look_eval.c, which runs code. */
#ifndef BEAM_LOOK_PARTS_H
#define BEAM_LOOK_PARTS_H

#include "target/target.h"
#include "vm/process/process.h"

/* The process of an actor; NULL if it has ended or is not a process. */
struct process *look_process(struct target *target, uint32_t actor);

/* True, with a line, if p is NULL. */
bool look_add_absent(const struct process *p, struct strbuf *out);

/* Does p wait for its next message in the loop of a behaviour? */
bool look_is_in_loop(const struct process *p);

/* The first part of look_state. */
void look_add_process(struct target *target, const struct process *p, struct strbuf *out);

#endif
