/* moment.h: a moment of a run for the explorer: the steps taken so far, the actors that can go
 * next, and why the others cannot.
 *
 * A moment is a list of choices: the actors that took the steps, by their places in the spawn tree
 * ("P1", "P1.2", "P1.2/timer1"). To see it, several runs are made. One follows the choices and goes
 * on freely: it shows how the program would end. One stops behind the last choice: it shows which
 * actors can go. One more for each of these actors shows the step that the actor takes. So a moment
 * has no state in the program, and going back is a shorter list.
 */
#ifndef CLI_MOMENT_H
#define CLI_MOMENT_H

#include <jansson.h>

#include "base/arena.h"
#include "core/finding.h"
#include "explain/names.h"
#include "report/report.h"
#include "target/target.h"

struct moment_actor {
	const char *id, *name;
	uint32_t index;
	bool can_go;
	bool has_ended;
	const char *text; /* the next step; NULL if it has ended */
	struct report_frame at;
	const char *why;  /* it cannot go: the reason; or NULL */
};

struct moment {
	struct arena arena;     /* owns all texts */
	uint32_t steps;         /* choices that were possible, from the first one on */
	bool is_possible;       /* all of them were */
	bool is_over;           /* no step comes behind the last choice */
	struct moment_actor *actors;
	uint32_t actors_len;
	struct report_finding run; /* all steps, also those behind the last choice, in words */
	bool has_finding;
	struct finding finding; /* of that run */
	struct names names;     /* of the actors of that run */
	struct trace *trace;    /* owned: that run */
	const char *end;        /* how it ends: "done", "deadlock" (trace_end_text) */
};

/* `choices` are ids. False with err if the program cannot be run. The caller releases the moment. */
bool moment_make(struct moment *moment, struct target *target, bool is_beam,
		 const char *const *choices, uint32_t len, struct err *err);
void moment_release(struct moment *moment);

/* As a member of the page's data; a new object. */
json_t *moment_json(const struct moment *moment);

#endif
