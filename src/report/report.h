/* report.h: the result of a search in words, and the forms in which it can be written.
 *
 * A struct report is plain data with everything already put into words: the caller
 * (cli/, or `fermata report` reading a saved finding) asked the target to describe
 * sites and objects beforehand. So a report never calls a target and never opens a
 * program, and the same struct always gives the same bytes. Source files are the only
 * files that are read, by report_read_sources(), before the report is written.
 *
 * Forms: text for people, json (schema 1, promised to scripts), sarif 2.1.0 for code
 * hosts, junit xml for test runners, html in one file for colleagues. One file each;
 * to add one: a function `void report_form(const struct report *, struct strbuf *)`.
 *
 * All strings are UTF-8 or at least printable after escaping, borrowed from the caller,
 * and never NULL unless the comment allows it.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"

/* REPORT_BETWEEN: a plain memory access that is part of the bug. It is not a step; it stands
 * between two steps. */
enum { REPORT_NO_STEP = 0xffffffffu, REPORT_BETWEEN = 0xfffffffeu };

/* Begins the text of a row for a step that only the passing run has; the last row, if there is one. */
#define REPORT_NOT_REACHED "not reached: "
/* Of a row for the end of a thread. The end is not a step; it is shown if the passing run shows
 * that it matters. */
#define REPORT_ENDS "ends"

/* One frame of a call stack. */
struct report_frame {
	const char *function; /* NULL if not known */
	const char *file;     /* NULL if not known */
	uint32_t line;        /* 0 if not known */
};

/* A thread or process: `id` is its place in the spawn tree ("P1.2"), by which `actor` of sites and
 * steps names it; `name` is the name that people use ("teller#2"). */
struct report_actor {
	const char *id, *name;
};

/* One place that belongs to the bug; its frames are its call stack, innermost first. */
struct report_site {
	const char *actor; /* "P1.2"; NULL if it belongs to no actor */
	const char *role;  /* "writes counter", "waits for lock b" */
	struct report_frame at;
	uint32_t step; /* in the interleaving, or REPORT_NO_STEP */
	const struct report_frame *frames;
	uint32_t frames_len;
	const char *const *locks; /* held there: "m (locked at bank.c:12)" */
	uint32_t locks_len;
};

/* One way in which a step touches an object. */
struct report_touch {
	const char *object; /* "acc[0].lock" */
	const char *mode;   /* "acquire" (core/access.def) */
};

/* An actor waits for another at the end of the run; `what` is why ("b", "its end"). */
struct report_wait {
	const char *from, *to; /* ids of actors */
	const char *what;
};

/* One step of the failing run. */
struct report_event {
	uint32_t step; /* or REPORT_BETWEEN; REPORT_NO_STEP: never taken */
	const char *actor;
	uint32_t column;   /* index into the finding's columns */
	const char *text;  /* "lock m", "read counter = 3" */
	const char *file;  /* NULL if not known */
	uint32_t line;
	const char *path;  /* of the file, if `file` is a shorter name; else NULL */
	const char *source; /* the text of that line; NULL if not known */
	bool is_preemption; /* the actor before it could have gone on */
	bool is_culprit;    /* one of the finding's sites */
	bool is_reversed;   /* one of the two steps whose order matters */
	bool is_early;	    /* a timer that fired while others could have gone on; not saved */
	bool in_slice;      /* without it the bug would not happen (explain/slice.c) */
	/* For programs and for the page; each NULL if not known. */
	const char *kind;   /* "lock" (core/event.def) */
	const char *object; /* "acc[0].lock" */
	const char *mode;   /* "acquire" (core/access.def) */
	const struct report_touch *touches; /* all objects, if there is more than one; else NULL */
	uint32_t touches_len;
	const char *value;  /* "3", "3 → 4" */
	const char *peer;   /* id of the actor that it creates or waits for */
	uint32_t from;      /* the step that sent what it takes, or created its actor; or REPORT_NO_STEP */
};

struct report_finding {
	uint32_t kind; /* enum finding_kind */
	const char *message; /* one sentence that says what went wrong */
	const char *details; /* further lines, already laid out; or NULL */
	uint64_t fingerprint;
	uint64_t executions_before;
	uint32_t events;
	uint32_t preemptions;
	bool is_known;   /* in the baseline: does not fail the run */
	bool is_cut;     /* the schedule could be shorter: shortening stopped early */
	bool is_tied;    /* shows only with the environment and path of the tested program */
	const char *moving; /* values it may depend on that differ between processes; or NULL */
	uint32_t always; /* so many schedules there are, and the test fails in all; or 0 */
	uint32_t shown;  /* with `always`: in so many it shows; in all: it is not a timing bug */
	const char *always_assuming; /* with `always`: "no spurious wake-ups"; or NULL */
	uint32_t tried;  /* so many other schedules failed as well, but not all were tried; or 0 */
	uint32_t patient; /* depends on sleeping: so many schedules with longer sleeps passed; or 0 */
	const char *path; /* where it is saved; NULL if it is not */
	uint32_t declared_line; /* of the run file (report.program), which names the test; or 0 */
	const struct report_site *sites;
	uint32_t sites_len;
	const struct report_actor *actors; /* in the order of creation */
	uint32_t actors_len;
	const char *const *columns; /* names of the same actors */
	uint32_t columns_len;
	struct report_event *interleaving;
	uint32_t interleaving_len;
	const char *output; /* what the program printed in that run; may hold any byte */
	size_t output_len;
	uint32_t slice_len; /* rows of the interleaving that are in_slice */
	const char *order;  /* which two steps are in the wrong order, a sentence; or NULL */
	uint32_t order_first, order_second; /* these steps; REPORT_NO_STEP: not taken, or none */
	const uint32_t *order_also; /* further steps of other actors that must come before the first one */
	uint32_t order_also_len;
	const char *order_actor; /* id, if the second was never taken; else NULL */
	const json_t *excerpts; /* of a saved finding: parts of its sources; borrowed, or NULL */
	const struct report_wait *waits;
	uint32_t waits_len;
	const struct report_finding *passing; /* the nearest run that ends well: its actors,
	                                         interleaving and output; or NULL */
};

enum report_verdict {
	REPORT_PROVED,
	REPORT_NO_BUG_FOUND,
	REPORT_KNOWN, /* findings, all of them known (is_known) */
	REPORT_BUG,
	REPORT_LOST_CONTROL,
	REPORT_INTERRUPTED, /* by Ctrl-C, before a bug was found */
	REPORT_VERDICTS
};

struct report {
	enum report_verdict verdict;
	bool complete;        /* the strategy exhausted its space */
	bool certified;       /* complete, and a second checker agrees */
	const char *not_certified; /* complete and not certified: why; else NULL or "" */
	const char *program;  /* the tested program, as the user named it */
	const char *reason;   /* not a proof: why; lost control: what; else "" */
	const char *
		equivalence; /* the relation of --equivalence that was used, if not the usual; or NULL */
	const char *memory; /* the memory model, if it is not sequential consistency; else NULL or "" */
	const char *const *assumptions; /* assumptions that mattered in some run */
	uint32_t assumptions_len;
	const char *const *warnings;
	uint32_t warnings_len;
	const char *strategy;
	uint64_t seed; /* at most INT64_MAX */
	/* Runs of the strategy, of a sampling burst before it; abandoned; cut in a spin loop. */
	uint64_t executions, sampled, blocked_executions, spin_executions;
	uint64_t steps;
	double wall_seconds, cpu_seconds;
	bool is_until_finding; /* the numbers are those up to the finding, not those of the whole search */
	uint64_t peak_rss_kb;
	const char *restart, *restart_reason;
	struct report_finding *findings;
	uint32_t findings_len;
	/* Borrowed; NULL is empty. */
	const json_t *coverage;      /* object: what the strategy measures */
	const char *coverage_text;   /* the same as lines for people */
	const json_t *outcomes;      /* array: the distinct ends and outputs seen */
	const json_t *counted_apart; /* object: confirmations, shrinking, sampling … */
	const json_t *history;       /* object: how the numbers grew (cli/search/stats.h); left out if NULL */
	const json_t *excerpts;      /* object: parts of source files, for the page (report_excerpts) */
	const json_t *tests;         /* array: each test of a suite; NULL: not a suite */
	const char *remembered; /* not run: why an earlier report still holds; or NULL */
	bool is_saved;    /* saved findings, maybe of several programs; not one search */
	bool has_pages;   /* html: findings of the tests are on pages of their own */
	const char *root; /* sarif: files in this folder are named relative to it; or NULL */
};

/* How text is laid out. Zero: no colour, 100 columns. */
struct report_style {
	bool colour;
	uint32_t width;
	bool full; /* all steps, not only those that matter */
	bool is_endless; /* set for width 0: a path or a warning may be longer than a line */
};

void report_text(const struct report *report, const struct report_style *style,
		 struct strbuf *out);
void report_json(const struct report *report, struct strbuf *out);
void report_sarif(const struct report *report, struct strbuf *out);
void report_junit(const struct report *report, struct strbuf *out);
void report_html(const struct report *report, struct strbuf *out);

/* The page of the explorer: `data` is the JSON of a report with one run and the member "moment". */
void report_live_page(const char *title, const char *data, struct strbuf *out);

/* The promised last line, without the newline. */
void report_verdict_line(const struct report *report, struct strbuf *out);
const char *report_verdict_text(enum report_verdict verdict); /* "no-bug-found" */

/* One finding as text, for `fermata test` while the search still runs. */
void report_finding_text(const struct report_finding *finding, const struct report_style *style,
			 struct strbuf *out);

/* A finding as JSON (a new value) and back, for saved findings. Parsing skips members
 * that are missing or of the wrong type; texts are copied into the arena. */
json_t *report_finding_json(const struct report_finding *finding);
void report_finding_parse(const json_t *json, struct arena *arena, struct report_finding *out);

/* A report that report_json() wrote, for the tests of a suite: what text, html and junit print. A
 * verdict that is not known ("broken") becomes lost control; coverage, outcomes and tests are left
 * out. Texts are copied into the arena. */
void report_parse(const json_t *json, struct arena *arena, struct report *out);

/* A copy in which every text is harmless for a terminal (base/harmless.h): a tested program chooses
 * its messages and names freely. Arrays and changed texts are in the arena. For report_text() and
 * report_finding_text(); the other forms quote by their own rules. */
struct report report_harmless(const struct report *report, struct arena *arena);

/* Colour is for terminals only, and NO_COLOR and TERM=dumb are honoured. */
bool report_wants_colour(int fd);

/* The style for text that is written to this descriptor: colour if it is wanted, and the width of
 * the terminal, from 60 to 240 columns (100 if it is not a terminal). */
struct report_style report_style_for(int fd);

/* Fills in `source` of every event whose file can be read; lines live in the arena. If `root` is
 * not NULL, only files in that folder are read: a finding from elsewhere must not quote other files. */
void report_read_sources(struct report *report, const char *root, struct arena *arena);

/* The lines around those that the report names, as an object of files of lines; a new value. `root` as
 * above. Lines of files that cannot be read are left out, but not those that the finding quotes. */
json_t *report_excerpts(const struct report *report, const char *root);
/* Is the path inside `root`, or `root` NULL? */
bool report_may_read(const char *path, const char *root);

/* Sets is_reversed of the steps whose order matters, from order_first, order_second and order_also. A step that
 * was never taken is the one that its actor waits for. */
void report_mark_order(struct report_finding *finding);

/* ---- shared by the forms (words.c) ---- */

/* The name of an actor by its id; the id itself if the finding does not know it. */
const char *report_actor_name(const struct report_finding *finding, const char *id);

/* "file:line", "function" or "an unknown place". */
void report_add_place(struct strbuf *out, const struct report_frame *frame);
/* The same for a finding of that kind. A program that ends with a status has no place: "the end of the program". */
void report_add_place_of(struct strbuf *out, uint32_t kind, const struct report_frame *frame);
/* Where a finding is, for titles: its first site. */
void report_add_where(struct strbuf *out, const struct report_finding *finding);
/* How many findings are not known. */
uint32_t report_count_new(const struct report *report);
/* "1 step", "2 steps". */
void report_add_count(struct strbuf *out, uint64_t n, const char *noun);
/* `before` and "fermata replay PATH" as a shell takes it; nothing if the finding is not saved. */
/* "Fails in every schedule (a separate search ran all 6): not a timing bug; assuming ….", or "There is only
 * one schedule, and it fails …". `always` is not 0. The number is not that of the report's executions:
 * explore/always.h counts orders that a search with observers need not run. */
void report_add_always(struct strbuf *out, const struct report_finding *finding);

/* "Depends on sleeping: …" `patient` is not 0. */
void report_add_patient(struct strbuf *out, const struct report_finding *finding);
void report_add_moving(struct strbuf *out, const struct report_finding *finding);
void report_add_replay(struct strbuf *out, const char *before,
		       const struct report_finding *finding);
/* "6 executions", "6 executions and 50 sampled runs": the runs that came to their end, or if no
 * run did, those that were cut. */
void report_add_runs(struct strbuf *out, const struct report *report);
/* Text as XML or HTML character data, control characters replaced. */
void report_add_xml(struct strbuf *out, const char *text, size_t len);
void report_add_xmls(struct strbuf *out, const char *text);

#endif
