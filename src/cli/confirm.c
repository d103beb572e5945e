#include "cli/confirm.h"

#include <inttypes.h>
#include <string.h>

#include "cli/beam_setup.h"
#include "cli/explain.h"
#include "cli/session.h"
#include "cli/test.h"
#include "cli/watched.h"
#include "detect/detect.h"
#include "explore/explore.h"

enum { SHRINK_RUNS = 200 };

/* One test explored for some suspects. */
struct trial {
	struct confirm *confirm;
	const char *test; /* as the user reads it */
	struct arena *arena;
	VEC(struct suspect *) suspects; /* parallel to the watch's pairs */
	struct watch watch;
	struct session session;
	struct explore_result result;
};

/* ---- a suspect that was seen ---- */

/* How the run ends badly besides: "abnormal-exit: P1: exits with ..."; "" it does not. */
static const char *describe_failure(struct trial *t, const struct trace *trace)
{
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};
	const char *text = "";

	detectors_look(detectors, trace, &findings);
	for (size_t i = 0; i < findings.len && !text[0]; i++)
		if (findings.items[i].kind != FINDING_RACE)
			text = arena_printf(t->arena, "%s: %s",
					    finding_kind_text(findings.items[i].kind),
					    findings.items[i].message);
	vec_release(&findings);
	detectors_free(detectors);
	return text;
}

/* The pair that the finding is about. */
static size_t find_pair(const struct trial *t, const struct finding *finding)
{
	struct sites sites = {0};
	size_t at = 0;

	for (; at < t->watch.pairs.len; at++) {
		const struct watch_pair *pair = &t->watch.pairs.items[at];
		uint64_t read, write;

		watch_sites(&t->watch, pair, &sites, &read, &write);
		if (pair->is_seen && finding->sites[0].site == write &&
		    finding->sites[1].site == read &&
		    t->suspects.items[at]->trial.outcome != SUSPECT_CONFIRMED)
			break;
	}
	sites_release(&sites);
	return at;
}

static bool are_all_confirmed(const struct trial *t)
{
	for (size_t i = 0; i < t->suspects.len; i++)
		if (t->suspects.items[i]->trial.outcome != SUSPECT_CONFIRMED)
			return false;
	return true;
}

static bool take_confirmed(void *ctx, struct target *target, struct found *found, struct err *err)
{
	struct trial *t = ctx;
	size_t at = find_pair(t, &found->finding);
	struct report_finding words;
	struct suspect_trial *trial;

	if (at == t->watch.pairs.len)
		return true; /* two suspects of the same lines: one is enough */
	explain_finding(target, found, t->arena, &words);
	json_object_set_new(t->session.setup, "watch",
			    watched_json(&t->watch, &t->watch.pairs.items[at]));
	if (!session_save(&t->session, target, found, &words, t->arena, err))
		return false;
	trial = &t->suspects.items[at]->trial;
	trial->outcome = SUSPECT_CONFIRMED;
	trial->path = words.path;
	trial->fails = describe_failure(t, found->trace);
	if (are_all_confirmed(t))
		session_stop = 1; /* nothing is left to look for */
	return true;
}

/* ---- one test ---- */

/* Two suspects can stand on the same lines; what was seen of one was saved for the other. */
static const char *find_twin(const struct trial *t, size_t at)
{
	const struct watch_pair *pair = &t->watch.pairs.items[at];

	for (size_t i = 0; i < t->suspects.len && pair->is_seen; i++) {
		const struct suspect *other = t->suspects.items[i];

		if (other->trial.outcome == SUSPECT_CONFIRMED &&
		    other->read.line == t->suspects.items[at]->read.line &&
		    other->write.line == t->suspects.items[at]->write.line)
			return other->trial.path;
	}
	return NULL;
}

static void judge(struct trial *t)
{
	const struct explore_result *r = &t->result;

	for (size_t i = 0; i < t->suspects.len; i++) {
		const struct watch_pair *pair = &t->watch.pairs.items[i];
		struct suspect_trial *trial = &t->suspects.items[i]->trial;
		const char *twin = find_twin(t, i);

		trial->test = t->test;
		if (trial->outcome == SUSPECT_CONFIRMED)
			continue;
		if (twin) {
			trial->outcome = SUSPECT_CONFIRMED;
			trial->path = twin;
			continue;
		}
		trial->outcome = !pair->is_reached ? SUSPECT_NOT_REACHED
				 : r->complete     ? SUSPECT_NOT_SEEN
						   : SUSPECT_INCOMPLETE;
		trial->detail = r->complete ? "" : arena_strdup(t->arena, r->reason);
		if (!pair->is_reached && pair->is_read_reached)
			trial->detail = arena_printf(t->arena, "the read was%s%s", r->complete ? "" : "; ",
						     trial->detail);
	}
}

static bool explore_trial(struct trial *t, struct target *target, struct err *err)
{
	const struct test_options *o = &t->confirm->options;
	struct explore_options options = {
		.strategy = o->strategy,
		.params = {.seed = o->seed, .bound = (uint32_t)o->bound,
			   .bound_kind = o->bound_kind, .depth = (uint32_t)o->depth,
			   .burst = (uint32_t)o->burst},
		.max_runs = o->max_runs,
		.max_seconds = o->max_time,
		.keep_going = true,
		.ignored = ~(1u << FINDING_RACE),
		.shrink_seconds = 1,
		.shrink_runs = SHRINK_RUNS,
		.stop = &session_stop,
		.confirmed = take_confirmed,
		.ctx = t,
	};
	bool good;

	good = explore(target, &options, &t->result, err);
	if (good)
		judge(t);
	return good;
}

static enum confirm_end run_trial(struct trial *t, struct err *err)
{
	struct beam_subject subject = {.function = t->confirm->test,
				       .paths = t->confirm->paths.items, .watch = &t->watch};
	struct beam_setup setup;
	struct target *target;
	enum confirm_end end = CONFIRM_DONE;

	target = beam_setup_create(&setup, &t->confirm->options, &subject, err);
	if (!target) {
		end = err->kind == ERR_UNSUPPORTED ? CONFIRM_LOST : CONFIRM_FAIL;
	} else {
		t->session = (struct session){.options = &t->confirm->options, .target_name = "beam",
					      .program = t->test, .setup = beam_setup_json(&setup)};
		if (!explore_trial(t, target, err)) {
			end = CONFIRM_FAIL;
		} else if (t->result.lost) {
			err_set(err, "lost control: %s", t->result.reason);
			end = CONFIRM_LOST;
		}
		json_decref(t->session.setup);
		explore_result_release(&t->result);
		target->ops->free(target);
	}
	beam_setup_release(&setup);
	return end;
}

/* Files are the world's: no schedule of ours decides when they change. */
static bool is_controlled(const struct suspect *suspect)
{
	return strcmp(suspect->kind, "file") != 0;
}

enum confirm_end confirm_suspects(struct confirm *confirm, struct suspects *found,
				  struct arena *arena, struct err *err)
{
	struct trial t = {.confirm = confirm, .test = confirm->test, .arena = arena};
	enum confirm_end end = CONFIRM_DONE;

	if (!test_check_options(&confirm->options, err))
		return CONFIRM_FAIL;
	*vec_push(&confirm->paths) = NULL;
	for (size_t i = 0; i < found->len; i++) {
		if (!is_controlled(&found->items[i])) {
			found->items[i].trial.outcome = SUSPECT_NOT_CONTROLLED;
			continue;
		}
		watched_add(&t.watch, &found->items[i]);
		*vec_push(&t.suspects) = &found->items[i];
	}
	if (t.suspects.len)
		end = run_trial(&t, err);
	found->were_tried = true;
	found->executions += t.result.executions + t.result.bursts;
	watch_release(&t.watch);
	vec_release(&t.suspects);
	return end;
}
