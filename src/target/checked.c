#include "target/checked.h"

#include "base/mem.h"
#include "target/contract.h"

struct checked {
	struct target base;
	struct checked *first; /* the one that target_checked() made; itself, if it is that one */
	struct target_ops ops; /* as the inner target has them: optional ones stay optional */
	struct contract contract;
	struct strbuf broken;  /* of the first one: the promise that was broken; "" none */
	struct checked_options options;
	uint64_t requests;
	VEC(struct trace *) kept; /* copies handed out instead of traces that a second run overwrote */
};

static struct checked *checked_of(struct target *self)
{
	return (struct checked *)self;
}

static struct target *inner_of(struct target *self)
{
	return self->inner;
}

/* ---- running ---- */

static bool fail(struct checked *k, struct err *err)
{
	return err_set_unsupported(err, "%s", strbuf_text(&k->first->broken));
}

/* A promise was broken, `why` says which: from now on nothing runs. */
static bool report(struct checked *k, struct strbuf *why, struct err *err)
{
	strbuf_addf(&k->first->broken, "the target broke its contract: %s", strbuf_text(why));
	strbuf_release(why);
	if (k->options.on_broken)
		k->options.on_broken(strbuf_text(&k->first->broken));
	return fail(k, err);
}

static bool check(struct checked *k, const struct schedule *schedule, const struct trace *trace,
		  struct err *err)
{
	struct strbuf why = {0};

	return contract_holds(&k->contract, schedule, trace, &why) || report(k, &why, err);
}

static void drop_kept(struct checked *k)
{
	for (size_t i = 0; i < k->kept.len; i++)
		mem_free(k->kept.items[i]);
	vec_clear(&k->kept);
}

static bool is_sample(struct checked *k)
{
	return k->options.sample && k->requests++ % k->options.sample == 0;
}

/* Did the run end where the schedule or the program ended it? The other ends need not come
 * again: the target has learned something meanwhile, or was disturbed. */
static bool is_comparable(const struct trace *trace)
{
	return trace->end != END_RELEARN && trace->end != END_LOST && trace->end != END_SILENT;
}

/* Runs the schedule of `first`, a copy, again. *again is the second trace. */
static bool run_again(struct checked *k, const struct schedule *schedule,
		      const struct trace *first, struct trace *again, struct err *err)
{
	struct target *inner = inner_of(&k->base);
	struct strbuf why = {0};

	if (!inner->ops->run(inner, schedule, again, err))
		return false;
	return !is_comparable(again) || contract_same(first, again, &why) || report(k, &why, err);
}

static bool checked_run(struct target *self, const struct schedule *schedule, struct trace *trace,
			struct err *err)
{
	struct checked *k = checked_of(self);
	struct target *inner = inner_of(self);
	struct trace *first;
	bool ok;

	drop_kept(k);
	if (k->first->broken.len)
		return fail(k, err);
	if (!inner->ops->run(inner, schedule, trace, err) || !check(k, schedule, trace, err))
		return false;
	if (!is_comparable(trace) || !is_sample(k))
		return true;
	first = trace_copy(trace);
	ok = run_again(k, schedule, first, trace, err);
	mem_free(first);
	return ok;
}

/* The traces of the batch become copies, because the second run overwrites them. If the second
 * run has learned something, it is the only trace. */
static uint32_t run_last_again(struct checked *k, const struct schedule *schedules,
			       struct trace *traces, uint32_t len, struct err *err)
{
	struct trace again;

	for (uint32_t i = 0; i < len; i++) {
		*vec_push(&k->kept) = trace_copy(&traces[i]);
		traces[i] = *k->kept.items[i];
	}
	if (!run_again(k, &schedules[len - 1], &traces[len - 1], &again, err))
		return 0;
	if (again.end != END_RELEARN)
		return len;
	traces[0] = again;
	return 1;
}

static uint32_t checked_run_many(struct target *self, const struct schedule *schedules,
				 uint32_t len, struct trace *traces, struct err *err)
{
	struct checked *k = checked_of(self);
	struct target *inner = inner_of(self);
	uint32_t made;

	drop_kept(k);
	if (k->first->broken.len) {
		fail(k, err);
		return 0;
	}
	made = inner->ops->run_many(inner, schedules, len, traces, err);
	for (uint32_t i = 0; i < made; i++)
		if (!check(k, &schedules[i], &traces[i], err))
			return 0;
	if (!made || !is_comparable(&traces[made - 1]) || !is_sample(k))
		return made;
	return run_last_again(k, schedules, traces, made, err);
}

/* ---- handed on ---- */

static void checked_want_stacks(struct target *self, bool on)
{
	inner_of(self)->ops->want_stacks(inner_of(self), on);
}

static uint32_t checked_stack(struct target *self, uint32_t step, uint32_t actor,
			      struct target_frame *frames, uint32_t frames_max)
{
	return inner_of(self)->ops->stack(inner_of(self), step, actor, frames, frames_max);
}

static void checked_want_contexts(struct target *self, uint32_t callers)
{
	inner_of(self)->ops->want_contexts(inner_of(self), callers);
}

static uint32_t checked_context(struct target *self, const struct event *event,
				struct target_frame *frames, uint32_t frames_max)
{
	return inner_of(self)->ops->context(inner_of(self), event, frames, frames_max);
}

static void checked_want_waiting(struct target *self, bool on)
{
	inner_of(self)->ops->want_waiting(inner_of(self), on);
}

static bool checked_describe_step(struct target *self, uint32_t step, struct strbuf *out)
{
	return inner_of(self)->ops->describe_step(inner_of(self), step, out);
}

static void checked_describe_site(struct target *self, uint64_t site, struct target_frame *frame)
{
	inner_of(self)->ops->describe_site(inner_of(self), site, frame);
}

static void checked_describe_object(struct target *self, uint64_t object, struct strbuf *out)
{
	inner_of(self)->ops->describe_object(inner_of(self), object, out);
}

static void checked_facts(struct target *self, struct target_facts *facts)
{
	inner_of(self)->ops->facts(inner_of(self), facts);
}

static bool checked_expose(struct target *self, uint64_t address, uint64_t size)
{
	return inner_of(self)->ops->expose(inner_of(self), address, size);
}

static bool checked_retreat(struct target *self, const char *what)
{
	struct target *inner = inner_of(self);

	return inner->ops->retreat && inner->ops->retreat(inner, what);
}

static void checked_save_knowledge(struct target *self, struct strbuf *out)
{
	inner_of(self)->ops->save_knowledge(inner_of(self), out);
}

static bool checked_load_knowledge(struct target *self, const char *text, struct err *err)
{
	return inner_of(self)->ops->load_knowledge(inner_of(self), text, err);
}

static void checked_free(struct target *self)
{
	struct checked *k = checked_of(self);

	inner_of(self)->ops->free(inner_of(self));
	drop_kept(k);
	vec_release(&k->kept);
	contract_release(&k->contract);
	strbuf_release(&k->broken);
	mem_free(k);
}

/* ---- making ---- */

static struct target *make_twin(struct checked *k, struct target *inner)
{
	struct target *twin;

	if (!inner)
		return NULL;
	twin = target_checked(inner, &k->options);
	checked_of(twin)->first = k->first;
	return twin;
}

static struct target *checked_again(struct target *self, struct err *err)
{
	return make_twin(checked_of(self), inner_of(self)->ops->again(inner_of(self), err));
}

static void checked_heed(struct target *self, const volatile sig_atomic_t *stop)
{
	inner_of(self)->ops->heed(inner_of(self), stop);
}

static struct target *checked_again_here(struct target *self, struct err *err)
{
	return make_twin(checked_of(self), inner_of(self)->ops->again_here(inner_of(self), err));
}

static const struct target_ops checked_ops = {
	.run = checked_run,
	.run_many = checked_run_many,
	.want_stacks = checked_want_stacks,
	.stack = checked_stack,
	.want_contexts = checked_want_contexts,
	.context = checked_context,
	.want_waiting = checked_want_waiting,
	.describe_step = checked_describe_step,
	.describe_site = checked_describe_site,
	.describe_object = checked_describe_object,
	.facts = checked_facts,
	.expose = checked_expose,
	.retreat = checked_retreat,
	.save_knowledge = checked_save_knowledge,
	.load_knowledge = checked_load_knowledge,
	.again = checked_again,
	.again_here = checked_again_here,
	.heed = checked_heed,
	.free = checked_free,
};

struct target *target_checked(struct target *inner, const struct checked_options *options)
{
	struct checked *k = mem_zalloc(sizeof(*k));

	k->ops = checked_ops;
	if (!inner->ops->run_many)
		k->ops.run_many = NULL;
	if (!inner->ops->want_contexts)
		k->ops.want_contexts = NULL;
	if (!inner->ops->context)
		k->ops.context = NULL;
	if (!inner->ops->want_waiting)
		k->ops.want_waiting = NULL;
	if (!inner->ops->describe_step)
		k->ops.describe_step = NULL;
	if (!inner->ops->again_here)
		k->ops.again_here = NULL;
	if (!inner->ops->heed)
		k->ops.heed = NULL;
	k->base.ops = &k->ops;
	k->base.inner = inner;
	k->first = k;
	k->options = *options;
	k->contract.announcements_change = options->announcements_change;
	return &k->base;
}
