/* replay_report.h: the answers of `fermata replay`, for people, as JSON and as JUnit XML; and as
 * the text in which the child that replays a finding hands its answer to the parent. */
#ifndef CLI_REPLAY_REPORT_H
#define CLI_REPLAY_REPORT_H

#include <stdio.h>

#include "base/vec.h"
#include "cli/replay/rerun.h"

/* One replayed finding. Texts are in the caller's arena. */
struct replay_row {
	const char *path;
	enum rerun_answer answer;
	const char *kind; /* of the finding; "" if it could not be read */
	const char *line; /* the answer in words */
	uint32_t step;    /* of RERUN_OTHER_WAY */
	double seconds;
	int status;
};

VEC_TYPE(replay_row_vec, struct replay_row);

/* In the child: the finding as text on stdout, with a pager if the parent wants one (pager.h); the answer
 * for the parent. */
void replay_print_finding(struct rerun *rerun, bool is_paged);
void replay_write_answer(const struct rerun *rerun, FILE *out);

/* In the parent. A child that ended without an answer has lost control. */
void replay_read_answer(const char *text, struct replay_row *row, struct arena *arena);

/* Where text for people goes: stdout, or stderr if a report took stdout. */
FILE *replay_stream(const char *json, const char *junit);

/* Both print the last line and return the exit status. */
int replay_print_answer(const struct replay_row *row, FILE *out);
int replay_print_table(const struct replay_row_vec *rows, const char *folder, FILE *out);

void replay_json(const struct replay_row_vec *rows, struct strbuf *out);
void replay_junit(const struct replay_row_vec *rows, struct strbuf *out);

#endif
