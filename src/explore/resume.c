#include "explore/resume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"

/* Saving takes at most this share of the time. */
static const double SAVE_SHARE = 0.05;

struct resume {
	struct resume_view view;
	struct store *store;
	size_t runs_saved;             /* so many runs of the history are in the file */
	bool begins_anew;              /* since the last time */
	VEC(struct resume_finding) findings; /* of before */
	VEC(char *) knowledge;         /* of the target, at each finding of the result */
	char reason[sizeof(((struct explore_result *)0)->reason)];
	double began, next, every;     /* when the search began, when and how often it is saved */
};

/* ---- texts ---- */

static void put_map(struct strbuf *out, const struct map *map)
{
	bytes_put_u32(out, (uint32_t)map->len);
	for (size_t i = 0; i < map->len; i++) {
		bytes_put_u64(out, map->entries[i].key);
		bytes_put_u64(out, map->entries[i].value);
	}
}

static void get_map(struct bytes_in *in, struct map *map)
{
	uint32_t len = bytes_count(in, 2 * sizeof(uint64_t));

	map_clear(map);
	for (uint32_t i = 0; i < len; i++) {
		uint64_t key = bytes_u64(in);

		*map_put(map, key, NULL) = bytes_u64(in);
	}
}

static void put_sums(const struct resume *r, struct strbuf *out)
{
	const struct explore_result *result = r->view.result;
	const struct statistics *s = &result->statistics;

	jobs_put_sums(out, result);
	bytes_put_u64(out, result->sampled);
	bytes_put_u64(out, result->confirmations);
	bytes_put_u64(out, result->shrinks);
	bytes_put_u64(out, r->view.walk->self_checks);
	bytes_put_u64(out, r->view.walk->restarts);
	bytes_put(out, r->reason, sizeof(r->reason));
	bytes_put_u64(out, s->runs);
	bytes_put_u64(out, s->work);
	put_map(out, &s->traces);
	put_map(out, &s->races);
	put_map(out, r->view.seen);
}

static bool get_sums(struct resume *r, struct bytes_in in)
{
	struct explore_result *result = r->view.result;
	struct statistics *s = &result->statistics;

	jobs_add_sums(&in, result);
	result->sampled = bytes_u64(&in);
	result->confirmations = bytes_u64(&in);
	result->shrinks = bytes_u64(&in);
	r->view.walk->self_checks = (uint32_t)bytes_u64(&in);
	r->view.walk->restarts = (uint32_t)bytes_u64(&in);
	bytes_get(&in, r->reason, sizeof(r->reason));
	memcpy(result->reason, r->reason, sizeof(r->reason));
	s->runs = bytes_u64(&in);
	s->work = bytes_u64(&in);
	get_map(&in, &s->traces);
	get_map(&in, &s->races);
	get_map(&in, r->view.seen);
	return !in.is_short;
}

static void put_decisions(struct strbuf *out, const struct decision *decisions, uint32_t len)
{
	struct schedule schedule = {.tail = TAIL_FIRST, .decisions = decisions,
				    .decisions_len = len};

	jobs_put_schedule(out, &schedule);
}

static void put_findings(const struct resume *r, struct strbuf *out)
{
	const struct explore_result *result = r->view.result;

	bytes_put_u32(out, (uint32_t)result->found.len);
	for (size_t i = 0; i < result->found.len; i++) {
		const struct found *found = &result->found.items[i];

		bytes_put_u64(out, found->finding.fingerprint);
		bytes_put_u64(out, found->finding.executions_before);
		bytes_put(out, &found->search, sizeof(found->search));
		put_decisions(out, found->decisions, found->decisions_len);
		put_decisions(out, found->other, found->other_len);
		bytes_put_text(out, r->knowledge.items[i], strlen(r->knowledge.items[i]));
	}
}

static bool get_findings(struct resume *r, struct bytes_in in)
{
	uint32_t len = bytes_count(&in, 2 * sizeof(uint64_t));

	for (uint32_t i = 0; i < len && !in.is_short; i++) {
		struct resume_finding *finding = vec_push(&r->findings);
		struct strbuf text = {0};
		struct bytes_in knowledge;

		*finding = (struct resume_finding){0};
		finding->fingerprint = bytes_u64(&in);
		finding->executions_before = bytes_u64(&in);
		bytes_get(&in, &finding->search, sizeof(finding->search));
		finding->schedule = jobs_get_schedule(&in);
		finding->other = jobs_get_schedule(&in);
		knowledge = bytes_text(&in);
		bytes_put(&text, knowledge.at, knowledge.len);
		finding->knowledge = strbuf_detach(&text);
	}
	return !in.is_short;
}

const struct resume_finding *resume_findings(const struct resume *r, size_t *len)
{
	*len = r->findings.len;
	return r->findings.items;
}

void resume_note_finding(struct resume *r, struct target *target)
{
	struct strbuf text = {0};

	if (!r)
		return;
	target->ops->save_knowledge(target, &text);
	*vec_push(&r->knowledge) = strbuf_detach(&text);
}

bool resume_find_again(struct walk *walk, const struct resume_finding *saved, struct found *found,
		       struct err *err)
{
	const struct finding_vec *findings = &walk->findings;
	size_t i = 0;

	if (saved->other.schedule.decisions_len)
		walk_run(walk, &saved->other.schedule, err);
	if (walk_run(walk, &saved->schedule.schedule, err) == WALK_ERROR)
		return false;
	while (i < findings->len && findings->items[i].fingerprint != saved->fingerprint)
		i++;
	if (i == findings->len)
		return err_set(err, "a finding of the saved search does not show again; remove the "
				    "file to begin anew");
	*found = found_of(&findings->items[i], &walk->trace,
			  detectors_other(walk->detectors, &findings->items[i]));
	found->finding.executions_before = saved->executions_before;
	found->search = saved->search;
	return true;
}

/* ---- runs that are made again ---- */

static bool repeat_run(void *ctx, struct bytes_in in, struct err *err)
{
	struct resume *r = ctx;

	if (history_repeat(r->view.history, r->view.walk, in, err)) {
		r->runs_saved++;
		return true;
	}
	if (!err->message[0])
		err_set(err, "the saved search cannot go on: the program does not run as it did "
			     "then (another environment?); remove the file to begin anew");
	return false;
}

void resume_restart(struct resume *r)
{
	if (!r)
		return;
	r->runs_saved = 0;
	r->begins_anew = true;
}

/* ---- saving ---- */

static bool save_lists(struct resume *r, struct err *err)
{
	const struct explore_options *o = r->view.options;
	struct strbuf kept = {0};
	bool ok = true;

	if (r->begins_anew)
		ok = store_clear(r->store, STORE_RUNS, err) &&
		     store_clear(r->store, STORE_CLASSES, err);
	for (size_t i = r->runs_saved; i < r->view.history->runs.len && ok; i++)
		ok = store_append(r->store, STORE_RUNS, &r->view.history->runs.items[i], err);
	if (o->keep)
		o->keep(o->ctx, &kept);
	if (ok && kept.len)
		ok = store_append(r->store, STORE_CLASSES, &kept, err);
	strbuf_release(&kept);
	return ok;
}

static bool save_value(struct resume *r, enum store_value which, struct strbuf *text,
		       struct err *err)
{
	bool ok = store_put(r->store, which, text, err);

	strbuf_clear(text);
	return ok;
}

static bool save_state(struct resume *r, struct err *err)
{
	struct walk *walk = r->view.walk;
	struct strbuf text = {0};
	double wall;
	bool ok;

	walk->strategy->ops->save(walk->strategy, &text);
	ok = save_value(r, STORE_STRATEGY, &text, err);
	put_sums(r, &text);
	ok = ok && save_value(r, STORE_SUMS, &text, err);
	put_findings(r, &text);
	ok = ok && save_value(r, STORE_FINDINGS, &text, err);
	walk->target->ops->save_knowledge(walk->target, &text);
	ok = ok && save_value(r, STORE_KNOWLEDGE, &text, err);
	wall = r->view.result->wall_before + clock_seconds() - r->began;
	bytes_put(&text, &wall, sizeof(wall));
	ok = ok && save_value(r, STORE_WALL, &text, err);
	strbuf_release(&text);
	return ok;
}

static void save(struct resume *r)
{
	double began = clock_seconds();
	struct err err = {0};

	if (store_begin(r->store, &err) && save_lists(r, &err) && save_state(r, &err) &&
	    store_commit(r->store, &err)) {
		r->runs_saved = r->view.history->runs.len;
		r->begins_anew = false;
	} else {
		snprintf(r->view.result->not_saved, sizeof(r->view.result->not_saved), "%s",
			 err.message);
		r->store = NULL;
	}
	r->next = clock_seconds() + (clock_seconds() - began) / SAVE_SHARE;
	if (r->next < began + r->every)
		r->next = began + r->every;
}

void resume_tend(struct resume *r)
{
	if (!r || !r->store)
		return;
	if (r->view.result->reason[0] && !r->reason[0])
		memcpy(r->reason, r->view.result->reason, sizeof(r->reason));
	if (clock_seconds() >= r->next)
		save(r);
}

/* ---- going on ---- */

bool resume_is_saved(struct resume *r, struct err *err)
{
	struct strbuf text = {0};
	bool ok = store_get(r->store, STORE_STRATEGY, &text, err);

	strbuf_release(&text);
	return ok;
}

static bool load_value(struct resume *r, enum store_value which,
		       bool (*get)(struct resume *, struct bytes_in), struct err *err)
{
	struct strbuf text = {0};
	bool ok = store_get(r->store, which, &text, err) &&
		  get(r, (struct bytes_in){.at = strbuf_text(&text), .len = text.len});

	strbuf_release(&text);
	if (!ok && !err->message[0])
		err_set(err, "the saved search is damaged; remove the file to begin anew");
	return ok;
}

static bool get_strategy(struct resume *r, struct bytes_in in)
{
	struct strategy *strategy = r->view.walk->strategy;

	return strategy->ops->restore(strategy, &in);
}

static bool get_wall(struct resume *r, struct bytes_in in)
{
	bytes_get(&in, &r->view.result->wall_before, sizeof(double));
	return !in.is_short;
}

static bool load_knowledge(struct resume *r, struct err *err)
{
	struct target *target = r->view.walk->target;
	struct strbuf text = {0};
	bool ok = store_get(r->store, STORE_KNOWLEDGE, &text, err) &&
		  target->ops->load_knowledge(target, strbuf_text(&text), err);

	strbuf_release(&text);
	return ok;
}

static bool add_classes(void *ctx, struct bytes_in in, struct err *err)
{
	const struct explore_options *o = ((struct resume *)ctx)->view.options;

	(void)err;
	if (o->unpack)
		o->unpack(o->ctx, in);
	return true;
}

bool resume_load_findings(struct resume *r, struct err *err)
{
	return load_value(r, STORE_FINDINGS, get_findings, err);
}

bool resume_load(struct resume *r, struct err *err)
{
	const struct explore_options *o = r->view.options;
	struct strbuf kept = {0};
	bool ok = load_knowledge(r, err) &&
		  store_each(r->store, STORE_RUNS, repeat_run, r, err) &&
		  load_value(r, STORE_STRATEGY, get_strategy, err) &&
		  load_value(r, STORE_SUMS, get_sums, err) &&
		  load_value(r, STORE_WALL, get_wall, err) &&
		  store_each(r->store, STORE_CLASSES, add_classes, r, err);

	if (o->keep)
		o->keep(o->ctx, &kept); /* it is saved already */
	strbuf_release(&kept);
	r->view.result->is_resumed = true;
	return ok;
}

/* ---- life ---- */

/* For tests: how often a search is saved. */
static double save_every(void)
{
	const char *text = getenv("FERMATA_SAVE_EVERY_MS");

	return text ? atof(text) / 1000 : 1;
}

struct resume *resume_new(const struct resume_view *view)
{
	struct resume *r;

	if (!view->options->store || !view->walk->strategy->ops->save)
		return NULL;
	r = mem_zalloc(sizeof(*r));
	r->view = *view;
	r->store = view->options->store;
	r->every = save_every();
	r->began = clock_seconds();
	r->next = r->began + r->every;
	return r;
}

void resume_finish(struct resume *r, bool is_over)
{
	if (!r)
		return;
	if (r->store && !is_over)
		save(r);
	for (size_t i = 0; i < r->findings.len; i++) {
		jobs_schedule_release(&r->findings.items[i].schedule);
		jobs_schedule_release(&r->findings.items[i].other);
		mem_free(r->findings.items[i].knowledge);
	}
	for (size_t i = 0; i < r->knowledge.len; i++)
		mem_free(r->knowledge.items[i]);
	vec_release(&r->knowledge);
	vec_release(&r->findings);
	mem_free(r);
}
