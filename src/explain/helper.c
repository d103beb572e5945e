/* helper.c: functions of the program that only take a lock for their caller, or give it back: monitor_enter(m), or the
 * constructor of a guard. The line of the call of pthread_mutex_lock() is the same for all locks of such a program, and
 * says nothing: the place of such a step is the line that calls the helper.
 *
 * A function is a helper if it returns with the lock that it took, or gives back one that it did not take; if it
 * does nothing else that is a step; and if it is called from several lines. */
#include <string.h>

#include "base/mem.h"
#include "core/object.h"
#include "explain/parts.h"

enum { STEPS_MAX = 4096 }; /* the stacks of so many steps are looked at */

/* The user's own part of a stack, the innermost function first. */
struct stack {
	struct target_frame frames[FRAMES_MAX];
	uint32_t len;
};

static void get_stack(struct explainer *x, uint32_t key, uint32_t actor, struct stack *out)
{
	uint32_t len = explain_stack(x->target, key, actor, out->frames);
	uint32_t user = explain_find_user(out->frames, len);

	out->len = user < len ? len - user : 0;
	memmove(out->frames, out->frames + user, out->len * sizeof(out->frames[0]));
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* Does the innermost function of the first stack still run at the other one? */
static bool still_runs(const struct stack *stack, const struct stack *other)
{
	uint32_t above = other->len - stack->len;

	if (other->len < stack->len || !is_same(stack->frames[0].function, other->frames[above].function))
		return false;
	for (uint32_t i = 1; i < stack->len; i++)
		if (stack->frames[i].line != other->frames[above + i].line ||
		    !is_same(stack->frames[i].function, other->frames[above + i].function))
			return false;
	return true;
}

/* Is it a step on a lock, and does it take one? */
static bool takes_or_gives(const struct event *event, bool *takes)
{
	bool is_lock = false;

	*takes = false;
	for (uint32_t a = 0; a < event->access_len; a++) {
		uint32_t mode = event->accesses[a].mode;

		if (OBJECT_CLASS(event->accesses[a].object) != OBJECT_LOCK)
			continue;
		is_lock = is_lock || access_mode_locks(mode) || access_mode_unlocks(mode);
		*takes = *takes || access_mode_locks(mode);
	}
	return is_lock && event->kind != EVENT_IO_READ && event->kind != EVENT_IO_WRITE;
}

/* The stack at the actor's next step, taken or announced, or at the one before; false if there is none. */
static bool get_next(struct explainer *x, uint32_t step, bool is_before, struct stack *out)
{
	const struct trace *t = x->trace;
	uint32_t actor = t->events[step].actor;

	for (uint32_t i = is_before ? step : step + 1; is_before ? i-- > 0 : i < t->events_len; i += !is_before)
		if (t->events[i].actor == actor) {
			get_stack(x, i, actor, out);
			return out->len > 0;
		}
	if (!is_before && explain_pending(t, actor)) {
		get_stack(x, (uint32_t)TARGET_AT_END, actor, out);
		return out->len > 0;
	}
	return false;
}

static struct helper *find(struct explainer *x, const struct target_frame *frame)
{
	for (uint32_t i = 0; i < x->helpers_len && frame->function; i++)
		if (strcmp(x->helpers[i].function, frame->function) == 0)
			return &x->helpers[i];
	return NULL;
}

static struct helper *find_or_add(struct explainer *x, const struct stack *stack)
{
	struct helper *helper = find(x, &stack->frames[0]);

	if (helper || x->helpers_len == HELPERS_MAX)
		return helper;
	helper = &x->helpers[x->helpers_len++];
	*helper = (struct helper){.function = arena_strdup(x->arena, stack->frames[0].function),
				  .caller = arena_strdup(x->arena, stack->frames[1].function),
				  .line = stack->frames[1].line};
	return helper;
}

static void look_at(struct explainer *x, uint32_t step, bool takes)
{
	struct stack stack, next;
	struct helper *helper;

	get_stack(x, step, x->trace->events[step].actor, &stack);
	if (stack.len < 2 || !stack.frames[0].function || !stack.frames[1].function ||
	    !(helper = find_or_add(x, &stack)) || !get_next(x, step, !takes, &next))
		return;
	helper->is_other = helper->is_other || still_runs(&stack, &next);
	helper->is_helper = true;
	helper->has_callers = helper->has_callers || helper->line != stack.frames[1].line ||
			      strcmp(helper->caller, stack.frames[1].function) != 0;
}

/* A function with other steps is not a helper, such as one that goes on under the lock which it was given. */
static void rule_out(struct explainer *x)
{
	const struct trace *t = x->trace;

	for (uint32_t i = 0; i < t->events_len; i++) {
		struct target_frame frame = {0};
		struct helper *helper;
		bool takes;

		if (takes_or_gives(&t->events[i], &takes))
			continue;
		x->target->ops->describe_site(x->target, t->events[i].site, &frame);
		helper = find(x, &frame);
		if (helper)
			helper->is_other = true;
	}
}

static void find_helpers(struct explainer *x)
{
	const struct trace *t = x->trace;
	uint32_t steps = 0;
	bool takes;

	x->helpers = arena_zalloc(x->arena, HELPERS_MAX * sizeof(*x->helpers));
	for (uint32_t i = 0; i < t->events_len && steps < STEPS_MAX; i++)
		if (takes_or_gives(&t->events[i], &takes)) {
			look_at(x, i, takes);
			steps++;
		}
	if (x->helpers_len)
		rule_out(x);
}

struct report_frame explain_caller_place(struct explainer *x, uint64_t site, uint32_t key, uint32_t actor)
{
	struct stack stack;

	if (!x->helpers)
		find_helpers(x);
	if (x->helpers_len && (key == (uint32_t)TARGET_AT_END || key < x->trace->events_len)) {
		const struct helper *helper;

		get_stack(x, key, actor, &stack);
		helper = stack.len > 1 ? find(x, &stack.frames[0]) : NULL;
		if (helper && helper->is_helper && helper->has_callers && !helper->is_other)
			return explain_frame(x, &stack.frames[1]);
	}
	return explain_place(x, site, key, actor);
}
