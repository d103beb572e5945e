/* rerun.h: runs the schedule of one saved finding again and finds the answer.
 *
 * The schedule is followed strictly first. If the program does not fit it any more (another build,
 * a changed program), only its actors are followed, as far as that is possible: objects and places
 * have other names in another build, but "first P1, then P1.2" still means the same. If the finding
 * does not show, the answer says whether the schedule was followed to its end, or the program left
 * it at some step.
 */
#ifndef CLI_RERUN_H
#define CLI_RERUN_H

#include "base/arena.h"
#include "cli/exits.h"
#include "explore/save.h"
#include "report/report.h"

enum rerun_answer {
#define ANSWER(name, word, status, text) RERUN_##name,
#include "cli/replay/replay_answer.def"
#undef ANSWER
	RERUN_ANSWERS
};

const char *rerun_answer_word(enum rerun_answer answer);
const char *rerun_answer_text(enum rerun_answer answer);
int rerun_answer_status(enum rerun_answer answer);

struct rerun {
	const struct saved *saved;
	const char *path; /* of the finding */
	uint64_t times;   /* every run must show it */
	bool full; /* all steps are printed, not only those that matter */
	bool gdb;         /* debug the program, from its first step */
	bool debug;       /* Erlang: the prompt of beam_debug.h, once the finding is shown */
	uint32_t stop_at; /* for the debugger: hand over the process stopped before this step */
	/* results; texts are in the arena */
	enum rerun_answer answer;
	const char *line; /* the last line for the user, without "fermata: " */
	uint32_t step;    /* of RERUN_OTHER_WAY, from 1 */
	struct report_finding words; /* of RERUN_SHOWN */
	int status;       /* of gdb */
	struct arena arena;
};

/* Makes the target, runs it and fills in the results. Changes the working folder to the one that
 * the finding names, so it is called in a child. */
void rerun(struct rerun *rerun);

#endif
