#include "cli/search/trial.h"

#include <string.h>

#include "cli/exits.h"
#include "cli/search/child.h"
#include "cli/search/session.h"
#include "cli/search/stopping.h"
#include "cli/search/verdict.h"
#include "cli/search/watched.h"
#include "detect/detect.h"
#include "explain/explain.h"
#include "explore/explore.h"
#include "explore/save.h"

enum { SHRINK_RUNS = 200 };

/* ---- in the child ---- */

struct worker {
	const struct trial *trial;
	struct arena arena;
	struct watch watch; /* one pair for each suspect, in their order */
	struct suspect_trial *outcomes;
	struct session session;
	struct explore_result result;
};

/* How a run ends badly, races apart: "abnormal-exit: P1: exits with ..."; "" it does not. */
static const char *describe_failure(struct arena *arena, const struct trace *trace)
{
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};
	const char *text = "";

	detectors_look(detectors, trace, &findings);
	for (size_t i = 0; i < findings.len && !text[0]; i++)
		if (findings.items[i].kind != FINDING_RACE)
			text = arena_printf(arena, "%s: %s",
					    finding_kind_text(findings.items[i].kind),
					    findings.items[i].message);
	vec_release(&findings);
	detectors_free(detectors);
	return text;
}

static bool is_about(struct worker *w, size_t at, const struct finding *finding)
{
	const struct watch_pair *pair = &w->watch.pairs.items[at];
	struct sites sites = {0};
	uint64_t read, write;

	watch_sites(&w->watch, pair, &sites, &read, &write);
	sites_release(&sites);
	return pair->is_seen && finding->sites[0].site == write && finding->sites[1].site == read;
}

static bool are_all_confirmed(const struct worker *w)
{
	for (size_t i = 0; i < w->watch.pairs.len; i++)
		if (w->outcomes[i].outcome != SUSPECT_CONFIRMED)
			return false;
	return true;
}

/* Saves it; the findings of other suspects must not be replaced. */
static bool save(struct worker *w, struct target *target, const struct found *found,
		 struct report_finding *words, struct err *err)
{
	const struct suspects *all = w->trial->all;
	VEC(const char *) paths = {0};
	struct save_taken taken;
	bool ok;

	for (size_t i = 0; i < w->watch.pairs.len; i++)
		*vec_push(&paths) = w->outcomes[i].path;
	for (size_t i = 0; i < all->len; i++)
		*vec_push(&paths) = all->items[i].trial.path;
	taken = (struct save_taken){paths.items, paths.len};
	w->session.taken = &taken;
	ok = session_save(&w->session, target, found, words, &w->arena, err);
	w->session.taken = NULL;
	vec_release(&paths);
	return ok;
}

/* Suspects on the same lines look alike in a finding: it confirms all that were seen. */
static bool take_confirmed(void *ctx, struct target *target, struct found *found, struct err *err)
{
	struct worker *w = ctx;
	struct report_finding words;
	size_t first = 0;

	while (first < w->watch.pairs.len && !is_about(w, first, &found->finding))
		first++;
	if (first == w->watch.pairs.len)
		return true;
	explain_finding(target, found, &w->arena, &words);
	json_object_set_new(w->session.setup, "watch",
			    watched_json(&w->watch, &w->watch.pairs.items[first]));
	if (!save(w, target, found, &words, err))
		return false;
	for (size_t i = first; i < w->watch.pairs.len; i++)
		if (is_about(w, i, &found->finding))
			w->outcomes[i] = (struct suspect_trial){
				.outcome = SUSPECT_CONFIRMED, .path = words.path, .detail = "",
				.fails = describe_failure(&w->arena, found->trace)};
	if (are_all_confirmed(w))
		stop_wanted = STOP_DONE;
	return true;
}

/* A test that fails even under the default schedule may end before it reaches the suspect. */
static const char *why_not_reached(struct worker *w, struct target *target, bool was_read_reached)
{
	struct schedule schedule = {.tail = TAIL_FIRST};
	const char *failure = "", *reason = w->result.complete ? "" : w->result.reason;
	struct trace trace;
	struct err err = {0};

	if (target->ops->run(target, &schedule, &trace, &err))
		failure = describe_failure(&w->arena, &trace);
	return arena_printf(&w->arena, "%s%s%s%s%s",
			    was_read_reached ? "only the read was reached" : "",
			    was_read_reached && (failure[0] || reason[0]) ? "; " : "", failure,
			    failure[0] && reason[0] ? "; " : "", reason);
}

static const char *describe_assumptions(struct worker *w)
{
	const char *texts[ASSUMPTIONS_MAX], *result;
	uint32_t len = trace_list_assumptions(w->result.assumed, texts);
	struct strbuf text = {0};

	for (uint32_t i = 0; i < len; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : "assuming ", texts[i]);
	result = arena_strdup(&w->arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

static void fill_outcomes(struct worker *w, struct target *target)
{
	struct explore_result *r = &w->result;
	struct target_facts facts;

	target->ops->facts(target, &facts);
	if (r->complete && facts.not_proof[0]) {
		r->complete = false;
		snprintf(r->reason, sizeof(r->reason), "%s", facts.not_proof);
	}
	for (size_t i = 0; i < w->watch.pairs.len; i++) {
		const struct watch_pair *pair = &w->watch.pairs.items[i];
		struct suspect_trial *outcome = &w->outcomes[i];

		if (outcome->outcome == SUSPECT_CONFIRMED)
			continue;
		*outcome = (struct suspect_trial){
			.outcome = !pair->is_reached ? SUSPECT_NOT_REACHED
				   : r->complete     ? SUSPECT_NOT_SEEN
						     : SUSPECT_INCOMPLETE,
			.path = "", .fails = "",
			.detail = r->complete ? describe_assumptions(w) : r->reason};
		if (!pair->is_reached)
			outcome->detail = why_not_reached(w, target, pair->is_read_reached);
	}
}

static bool explore_test(struct worker *w, struct target *target, struct err *err)
{
	const struct test_options *o = w->trial->options;
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
		.stop = &stop_wanted,
		.confirmed = take_confirmed,
		.ctx = w,
	};

	if (!explore(target, &options, &w->result, err))
		return false;
	fill_outcomes(w, target);
	return true;
}

static void write_answer(const struct worker *w, FILE *out)
{
	json_t *outcomes = json_array(), *root;

	for (size_t i = 0; i < w->watch.pairs.len; i++)
		json_array_append_new(outcomes, json_pack("{s:i, s:s, s:s, s:s}", "outcome",
							  (int)w->outcomes[i].outcome, "path",
							  w->outcomes[i].path, "fails",
							  w->outcomes[i].fails, "detail",
							  w->outcomes[i].detail));
	root = json_pack("{s:I, s:s, s:o}", "executions",
			 (json_int_t)explore_runs(&w->result), "lost",
			 w->result.lost ? w->result.reason : "", "outcomes", outcomes);
	json_dumpf(root, out, JSON_COMPACT);
	json_decref(root);
}

static void write_error(const struct err *err, FILE *out)
{
	json_t *root = json_pack("{s:s, s:i}", "error", err->message, "kind", (int)err->kind);

	json_dumpf(root, out, JSON_COMPACT);
	json_decref(root);
}

static int work(void *ctx, FILE *out)
{
	const struct trial *trial = ctx;
	struct worker w = {.trial = trial};
	struct beam_subject subject = trial->subject;
	struct beam_setup setup;
	struct target *target;
	struct err err = {0};

	stop_catch_signals(trial->options->max_time);
	for (size_t i = 0; i < trial->suspects.len; i++)
		watched_add(&w.watch, trial->suspects.items[i]);
	w.outcomes = arena_zalloc(&w.arena, trial->suspects.len * sizeof(*w.outcomes));
	subject.watch = &w.watch;
	target = beam_setup_create(&setup, trial->options, &subject, &err);
	if (target) {
		w.session = (struct session){.options = trial->options, .target_name = "beam",
					     .program = trial->text,
					     .setup = beam_setup_json(&setup)};
		if (explore_test(&w, target, &err))
			write_answer(&w, out);
		json_decref(w.session.setup);
		explore_result_release(&w.result);
		target->ops->free(target);
	}
	if (err.message[0])
		write_error(&err, out);
	beam_setup_release(&setup);
	watch_release(&w.watch);
	arena_release(&w.arena);
	return EXIT_NO_BUG;
}

/* ---- in the parent ---- */

static int rank(enum suspect_outcome outcome)
{
	switch (outcome) {
	case SUSPECT_CONFIRMED: return 4;
	case SUSPECT_INCOMPLETE: return 3;
	case SUSPECT_NOT_SEEN: return 2;
	case SUSPECT_NOT_REACHED: return 1;
	default: return 0;
	}
}

static bool take_outcome(const struct trial *trial, struct suspect *suspect, json_t *json,
			 struct arena *arena)
{
	struct suspect_trial *known = &suspect->trial;
	const char *path, *fails, *detail;
	int outcome;

	if (json_unpack(json, "{s:i, s:s, s:s, s:s}", "outcome", &outcome, "path", &path, "fails",
			&fails, "detail", &detail) != 0)
		return false;
	if (rank((enum suspect_outcome)outcome) > rank(known->outcome))
		*known = (struct suspect_trial){
			.outcome = (enum suspect_outcome)outcome,
			.test = trial->text,
			.path = arena_strdup(arena, path),
			.fails = arena_strdup(arena, fails),
			.detail = arena_strdup(arena, detail),
		};
	return true;
}

static bool take_answer(struct trial *trial, json_t *answer, struct arena *arena, struct err *err)
{
	const char *error, *lost;
	json_int_t executions;
	json_t *outcomes;
	int kind;

	if (json_unpack(answer, "{s:s, s:i}", "error", &error, "kind", &kind) == 0) {
		err_set(err, "%s", error);
		err->kind = (enum err_kind)kind;
		return false;
	}
	if (json_unpack(answer, "{s:I, s:s, s:o}", "executions", &executions, "lost", &lost,
			"outcomes", &outcomes) != 0)
		return err_set_unsupported(err, "%s: its exploration ended early", trial->text);
	trial->executions += (uint64_t)executions;
	for (size_t i = 0; i < trial->suspects.len; i++)
		if (!take_outcome(trial, trial->suspects.items[i], json_array_get(outcomes, i),
				  arena))
			return err_set_unsupported(err, "%s: no outcome of a suspect", trial->text);
	if (lost[0]) {
		trial->is_lost = true;
		return err_set_unsupported(err, "%s: lost control: %s", trial->text, lost);
	}
	return true;
}

bool trial_run(struct trial *trial, struct arena *arena, struct err *err)
{
	struct child_answer answer;
	json_t *json;
	bool good;

	if (!child_ask(work, trial, &answer, err))
		return false;
	json = json_loads(strbuf_text(&answer.text), 0, NULL);
	good = take_answer(trial, json, arena, err);
	json_decref(json);
	strbuf_release(&answer.text);
	return good;
}
