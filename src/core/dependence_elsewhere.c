/* dependence_elsewhere.c: steps that touch other objects if they go before a certain other step. */
#include "core/dependence.h"

/* Does e, which touches the object, change what others find behind it: a name, or whether there
 * is such a table? */
static bool redirects(const struct event *e, uint64_t object)
{
	return OBJECT_CLASS(object) == OBJECT_NAME ||
	       (OBJECT_CLASS(object) == OBJECT_TABLE &&
		(e->kind == EVENT_ETS_DROP || event_find_access(e, OBJECT(OBJECT_TABLE, 0))));
}

/* Does e give up the monitor or link by which f sends the news of an end? Then f sends nothing. Or is
 * e the news, and f gives up the monitor? Then f does not touch the process that has ended. */
static bool ends_tie(const struct event *e, const struct event *f)
{
	if (f->kind == EVENT_DEMONITOR)
		return e->kind == EVENT_SEND || e->kind == EVENT_DELIVER;
	return (e->kind == EVENT_DEMONITOR && f->kind == EVENT_SEND) ||
	       (e->kind == EVENT_UNLINK && f->kind == EVENT_EXIT_SIGNAL);
}

/* The access of f by which it is an exit signal to the process of e, which has begun to trap exits;
 * or NULL. */
static const struct access *find_trapped(const struct event *e, const struct event *f)
{
	if (e->kind != EVENT_FLAG || (f->kind != EVENT_EXIT_SIGNAL && f->kind != EVENT_DELIVER))
		return NULL;
	for (uint32_t i = 0; i < f->access_len; i++) {
		const struct access *trap = event_find_access(e, f->accesses[i].object);

		if (OBJECT_CLASS(f->accesses[i].object) == OBJECT_SIGNALS &&
		    f->accesses[i].announced == ACCESS_ADD && trap && trap->mode == ACCESS_WRITE)
			return &f->accesses[i];
	}
	return NULL;
}

bool event_is_redirected(const struct event *e, const struct event *f)
{
	if (find_trapped(e, f))
		return true;
	if (ends_tie(e, f))
		return event_conflict(e, f);
	if (f->kind == EVENT_REGISTER || f->kind == EVENT_WHEREIS)
		return false; /* they touch the name and nothing behind it */
	for (uint32_t i = 0; i < f->access_len; i++) {
		const struct access *name = &f->accesses[i];
		const struct access *other = event_find_access(e, name->object);

		if (other && access_conflict(name, other) && redirects(e, name->object))
			return true;
	}
	return false;
}

struct event event_expected_before(const struct event *e, const struct event *f)
{
	struct event result = event_as_announced(f);
	const struct access *trapped = find_trapped(e, f);

	if (!trapped) {
		if (event_is_redirected(e, &result))
			result.accesses[0].mode = ACCESS_WORLD;
		return result;
	}
	for (uint32_t i = 0; i < result.access_len; i++) {
		struct access *access = &result.accesses[i];

		if (access->object == trapped->object) {
			access->mode = ACCESS_WRITE;
		} else if (access->mode == ACCESS_SEND) {
			access->mode = ACCESS_STOP;
		} else if (access->mode == ACCESS_USE &&
			   OBJECT_CLASS(access->object) == OBJECT_RELATIONS) {
			access->object = OBJECT(OBJECT_STEPS, OBJECT_NAME_OF(trapped->object));
			access->mode = ACCESS_WRITE;
		}
	}
	if (result.kind == EVENT_EXIT_SIGNAL)
		event_set_exit_receiver(&result, e->actor);
	return result;
}
