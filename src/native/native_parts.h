/* native_parts.h: shared by native.c (running a program), native_end.c and native_describe.c (words). */
#ifndef NATIVE_NATIVE_PARTS_H
#define NATIVE_NATIVE_PARTS_H

#include "native/native.h"

struct native {
	struct target base;
	struct program_options options;
	struct elf_program elf;
	struct program program;
	struct symbols *symbols;
	struct strbuf not_proof, warnings, moving;
	char message[1024];
	uint64_t runs;         /* since the last look at whether restoring works */
	uint64_t check_hash;   /* of the default schedule's trace; 0 not known yet */
	bool checked_before;   /* with another area: need not be looked at at once */
	bool is_overwritten;   /* the channel, by the program */
	bool is_stopped;       /* the time was over while restoring was checked */
};

static inline struct native *native_of(struct target *self)
{
	return (struct native *)target_unwrapped(self);
}

/* The function around this return address, without functions that were inlined into it, and whether
 * its lines are known. NULL if it is not known, or one of the runtime. */
const char *native_function(struct native *n, uint64_t address, bool *has_lines);

/* The operations of the same name (target.h). */
void native_describe_site(struct target *self, uint64_t site, struct target_frame *frame);
void native_describe_object(struct target *self, uint64_t object, struct strbuf *out);
bool native_written_value(struct target *self, uint32_t step, uint64_t *value);
uint32_t native_plain_values(struct target *self, uint32_t plain, uint64_t *before, uint64_t *after);
bool native_describe_actor(struct target *self, uint32_t actor, struct strbuf *out);
bool native_describe_start(struct target *self, uint32_t actor, struct target_frame *frame);
bool native_describe_block(struct target *self, uint64_t object, struct target_block *block);
bool native_describe_variable(struct target *self, uint64_t object, struct strbuf *out,
			      bool *is_inside);
void native_want_stacks(struct target *self, bool on);
uint32_t native_stack(struct target *self, uint32_t key, uint32_t actor,
		      struct target_frame *frames, uint32_t frames_max);
void native_want_contexts(struct target *self, uint32_t callers);
uint32_t native_context(struct target *self, const struct event *event,
			struct target_frame *frames, uint32_t frames_max);

/* native_end.c: a step did not come back. Finds the place in the program's own code, and, where
 * control was lost by it, says so. */
void native_describe_place(struct native *n, struct trace *trace);
/* The program is gone. */
void native_describe_death(struct native *n, struct trace *trace);

/* native_room.c: a run may have had more threads than the channel has room for. Then the program is
 * started again with more room, and *trace says that the exploration begins anew; the facts learned
 * so far are not needed for that. False: it could not be started. */
bool native_give_room(struct native *n, struct trace *trace, struct err *err);
void native_save_knowledge(struct target *self, struct strbuf *out);
bool native_load_knowledge(struct target *self, const char *text, struct err *err);

#endif
