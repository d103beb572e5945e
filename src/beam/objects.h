/* objects.h: names of what Erlang processes share, the same in every schedule, and back to words.
 *
 * Processes and mailboxes are named by the pid's value (the place in the spawn tree), registered
 * names, tables, keys and terms by hashes of what the program calls them. The words for those
 * are kept when a name is first made.
 */
#ifndef BEAM_OBJECTS_H
#define BEAM_OBJECTS_H

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "beam/vm.h"
#include "core/object.h"

struct objects {
	struct map texts; /* object -> index into words */
	VEC(char *) words;
	bool orders_output;    /* --io ordered */
	bool lists_processes;  /* somebody has asked for all processes: starting and ending one matter */
	bool must_relearn;     /* which has just been found out */
};

static inline uint64_t object_process(term pid) { return OBJECT(OBJECT_ACTOR, pid_value(pid)); }
static inline uint64_t object_mailbox(term pid) { return OBJECT(OBJECT_MAILBOX, pid_value(pid)); }
/* The exit signals a process has got, and who is linked to it or watches it. */
static inline uint64_t object_signals(term pid) { return OBJECT(OBJECT_SIGNALS, pid_value(pid)); }
uint64_t object_relations(term pid);
#define OBJECT_ALL_PROCESSES OBJECT(OBJECT_ACTOR, 0)
#define OBJECT_ALL_NAMES OBJECT(OBJECT_NAME, 0)
#define OBJECT_THE_OUTPUT OBJECT(OBJECT_OUTPUT, 1)
#define OBJECT_THE_CLOCK OBJECT(OBJECT_CLOCK, 1)

uint64_t object_name(struct objects *objects, term name);
/* id as the program gave it: a name or a reference. */
uint64_t object_table(struct objects *objects, struct vm *vm, term id);
uint64_t object_key(struct objects *objects, struct vm *vm, term id, term key);
uint64_t object_term(struct objects *objects, const char *what, term key, term index);
/* What a reference names: a timer or alias; a monitor. */
uint64_t object_monitor(uint64_t pid_value, uint64_t counter);
uint64_t object_reference(uint64_t pid_value, uint64_t counter);

/* False when it is none that was given words here. */
bool object_words(const struct objects *objects, uint64_t object, struct strbuf *out);
void objects_release(struct objects *objects);

#endif
