#include "cli/search/beam_session.h"

#include "cli/search/stopping.h"

/* The search did not come back when it was stopped. */
static int report_left(struct session *session)
{
	struct err err = {0};

	if (stop_wanted == STOP_TIME)
		err_set_unsupported(&err, "the search did not come back when the time was over "
				    "(--max-time)");
	else
		err_set(&err, "the search did not come back");
	return session_not_begun(session, &err);
}

int beam_session_run(struct session *session, const struct beam_subject *subject)
{
	struct beam_setup setup;
	struct target *target;
	struct err err = {0};
	int status;

	if (sigsetjmp(stop_point, 0) != 0) /* nothing of the search can be used, nor be released */
		return report_left(session);
	stop_use_point(true);
	target = beam_setup_create(&setup, session->options, subject, &err);
	if (target) {
		session->setup = beam_setup_json(&setup);
		status = session_run(session, target);
		json_decref(session->setup);
		target->ops->free(target);
	} else {
		status = session_not_begun(session, &err);
	}
	stop_use_point(false);
	beam_setup_release(&setup);
	return status;
}
