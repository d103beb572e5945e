/* jobs_text.h: the messages between a search and its workers: schedules, and sums over runs. */
#ifndef EXPLORE_JOBS_TEXT_H
#define EXPLORE_JOBS_TEXT_H

#include "base/bytes.h"
#include "explore/explore.h"

/* The answer of a worker to a part, before its text. */
enum jobs_answer {
	JOBS_RESULT = 1, /* schedules to look at; then times, sums and the result of the part */
	JOBS_REFUSED,    /* schedules to look at: the part cannot be explored elsewhere */
	JOBS_DEADLY,     /* no schedules: several workers elsewhere died in the part */
};

/* A schedule that was read; owned by the vecs in it. */
struct jobs_schedule {
	VEC(struct decision) decisions;
	VEC(struct event) sleepers;
	struct schedule schedule;
};

void jobs_put_schedule(struct strbuf *out, const struct schedule *schedule);

/* The run as a strict schedule. */
void jobs_put_run(struct strbuf *out, const struct trace *trace);

struct jobs_schedule jobs_get_schedule(struct bytes_in *in);
void jobs_schedule_release(struct jobs_schedule *schedule);

/* The sums of `from`, and adding them. */
void jobs_put_sums(struct strbuf *out, const struct explore_result *from);
void jobs_add_sums(struct bytes_in *in, struct explore_result *to);

#endif
