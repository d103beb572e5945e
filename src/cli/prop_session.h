/* prop_session.h: one `fermata prop`, from model to report: runs the tests, explains and
 * saves the failure, writes the reports, and says which exit status it deserves. The model
 * is already there; this part does not know whose. */
#ifndef CLI_PROP_SESSION_H
#define CLI_PROP_SESSION_H

#include "cli/option.h"
#include "prop/prop.h"
#include "report/report.h"

struct prop_session {
	const struct test_options *options;
	struct prop_options prop;
	const char *target_name; /* "native" or "beam" */
	const char *from;        /* a finding whose test to begin with; NULL none */
	const char *program;     /* what is tested, as the user named it */
	json_t *setup;           /* borrowed: all that replay needs to make the model again,
	                            except the test */
};

/* Returns the exit status. Frees nothing of its arguments. */
int prop_session_run(struct prop_session *session, struct model *model);

/* The picture of the failing test, why no order explains it, in the finding's words. */
void prop_session_explain(const struct prop_failure *failure, const char *program,
			  struct arena *arena, struct report_finding *words);

#endif
