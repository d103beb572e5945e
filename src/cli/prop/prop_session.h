/* prop_session.h: one `fermata prop`, from model to report: runs the tests, puts the failure into
 * words, saves it and writes the report. The caller made the model, so that this part works for C
 * models and PropEr callbacks alike. */
#ifndef CLI_PROP_SESSION_H
#define CLI_PROP_SESSION_H

#include "cli/option.h"
#include "prop/prop.h"
#include "report/report.h"

struct prop_session {
	const struct test_options *options;
	struct prop_options prop;
	const char *target_name; /* "native" or "beam" */
	const char *from;        /* --from: a finding whose test is run first; or NULL */
	const char *program;     /* the tested program, as the user named it */
	json_t *setup;           /* borrowed: all that replay needs to make the model again,
	                            except the test */
};

/* Returns the exit status. Frees nothing of its arguments. */
int prop_session_run(struct prop_session *session, struct model *model);

/* Puts the failure into words: those of any finding, the test as a picture, and why no order
 * explains its results. */
void prop_session_explain(const struct prop_failure *failure, const char *program,
			  struct arena *arena, struct report_finding *words);

#endif
