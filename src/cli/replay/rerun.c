#include "cli/replay/rerun.h"

#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/plural.h"
#include "cli/prop/prop_beam.h"
#include "cli/prop/prop_session.h"
#include "cli/replay/beam_debug.h"
#include "cli/replay/debugger.h"
#include "cli/replay/rerun_words.h"
#include "cli/replay/same.h"
#include "cli/replay/surroundings.h"
#include "cli/search/beam_setup.h"
#include "cli/search/native_setup.h"
#include "cli/search/stopping.h"
#include "detect/detect.h"
#include "explain/explain.h"
#include "prop/checker.h"
#include "prop/native_model.h"

enum { RELEARN_MAX = 100 };

static void fail(struct rerun *r, const struct err *err)
{
	r->answer = err->kind == ERR_UNSUPPORTED ? RERUN_LOST : RERUN_BAD;
	r->line = arena_strdup(&r->arena, err->message);
}

/* ---- following the schedule ---- */

struct follower_run {
	struct rerun *rerun;
	struct target *target;
	const char *test_of; /* the program whose model the target tests; or NULL */
	bool by_actors;
	uint32_t near_runs; /* other schedules that were tried (search_near) */
	struct trace trace;    /* the last run */
	struct finding finding; /* if it showed */
	bool is_reworded;	/* it is known by the way to it, not by its words */
	struct finding other;	/* another failure that ended the run; if has_other */
	bool has_other;
};

/* The same decisions without their kinds and objects. A new array. */
static struct decision *strip(const struct decision *decisions, uint32_t len)
{
	struct decision *bare = mem_alloc((len + 1) * sizeof(*bare));

	for (uint32_t i = 0; i < len; i++) {
		bare[i] = decisions[i];
		bare[i].kind = DECISION_ANY;
	}
	return bare;
}

/* Runs until the target knows the program: with another build it may have to learn first. */
static bool run_schedule(struct follower_run *f, const struct schedule *schedule, struct err *err)
{
	uint32_t tries = 0;
	bool ok;

	do {
		ok = f->target->ops->run(f->target, schedule, &f->trace, err);
	} while (ok && f->trace.end == END_RELEARN && ++tries < RELEARN_MAX);
	return ok;
}

static bool follow(struct follower_run *f, const struct decision *decisions, uint32_t len,
		   struct err *err)
{
	struct decision *bare = f->by_actors ? strip(decisions, len) : NULL;
	struct schedule schedule = {.decisions = bare ? bare : decisions, .decisions_len = len,
				    .relaxed = f->by_actors ? FOLLOW_RELAXED : FOLLOW_STRICT,
				    .tail = TAIL_FIRST};
	bool ok = run_schedule(f, &schedule, err);

	mem_free(bare);
	return ok;
}

/* Any finding counts in a schedule that was kept. */
static bool is_schedule(const struct saved *saved)
{
	return strcmp(saved->kind, SAVE_SCHEDULE) == 0;
}

/* Does one of the detectors report the saved finding of the last run? */
static bool shows(struct follower_run *f, struct detectors *detectors)
{
	const struct saved *saved = f->rerun->saved;
	struct finding_vec findings = {0};
	bool found = false, is_exact = false;

	detectors_look(detectors, &f->trace, &findings);
	f->has_other = false;
	for (size_t i = 0; i < findings.len && !is_exact; i++) {
		struct finding *finding = &findings.items[i];
		bool is_known = is_schedule(saved) || same_as_saved(f->target, finding, saved) ||
				same_in_words(f->target, &f->trace, finding, saved);

		if (is_known || same_failure(f->target, &f->trace, finding, saved)) {
			is_exact = same_sentence(f->target, &f->trace, finding, saved);
			if (found && !is_exact)
				continue;
			found = true;
			f->is_reworded = !is_known;
			f->finding = *finding;
		} else if (same_ends_run(finding->kind) && !f->has_other) {
			f->other = *finding;
			f->has_other = true;
		}
	}
	vec_release(&findings);
	return found;
}

/* One run, or of a leak two: the one that frees the blocks, then the one that does not. */
static bool run_once(struct follower_run *f, bool *shown, struct err *err)
{
	const struct saved *saved = f->rerun->saved;
	struct detectors *detectors = detectors_new();
	struct finding_vec findings = {0};
	bool ok = true;

	*shown = false;
	if (saved->other) {
		ok = follow(f, saved->other, saved->other_len, err);
		if (ok)
			detectors_look(detectors, &f->trace, &findings);
	}
	ok = ok && follow(f, saved->decisions, saved->decisions_len, err);
	if (ok)
		*shown = shows(f, detectors);
	vec_release(&findings);
	detectors_free(detectors);
	return ok;
}

enum { NEAR_RUNS = 100 };
static const double NEAR_SECONDS = 1;

/* In another build the same bug may need a step more or less. Tries schedules that begin like the
 * saved one, each for another number of steps, and go on at random. */
static bool search_near(struct follower_run *f, bool *shown, struct err *err)
{
	const struct saved *saved = f->rerun->saved;
	struct decision *bare = strip(saved->decisions, saved->decisions_len);
	double deadline = clock_seconds() + NEAR_SECONDS;
	bool ok = true;

	while (ok && !*shown && f->near_runs < NEAR_RUNS && clock_seconds() < deadline &&
	       !stop_wanted) {
		uint64_t seed = hash_combine(f->near_runs + 1, saved->fingerprint);
		struct schedule schedule = {
			.decisions = bare,
			.decisions_len = (uint32_t)(seed % (saved->decisions_len + 1)),
			.relaxed = FOLLOW_RELAXED,
			.tail = TAIL_RANDOM,
			.seed = seed,
		};
		struct detectors *detectors = detectors_new();

		f->near_runs++;
		ok = run_schedule(f, &schedule, err);
		*shown = ok && shows(f, detectors);
		detectors_free(detectors);
	}
	mem_free(bare);
	return ok;
}

/* ---- which answer ---- */

static void answer_other_way(struct follower_run *f, uint32_t step)
{
	struct strbuf expected = {0}, actual = {0};
	struct rerun *r = f->rerun;

	report_finding_parse(r->saved->words, &r->arena, &r->words);
	rerun_words_expected(r->saved, &r->words, step, &expected);
	rerun_words_actual(f->target, &f->trace, step, &actual);
	r->answer = RERUN_OTHER_WAY;
	r->step = step + 1;
	r->line = arena_printf(&r->arena,
			       "not shown: the program went another way at step %u: expected %s; "
			       "instead %s", step + 1, strbuf_text(&expected),
			       strbuf_text(&actual));
	strbuf_release(&expected);
	strbuf_release(&actual);
}

/* The finding has not shown because of a value of the process, not of the schedule? */
static void name_moving(struct rerun *r)
{
	const char *moving = json_string_value(json_object_get(r->saved->words, "may_depend_on"));

	if (moving)
		r->line = arena_printf(&r->arena, "%s; the finding may depend on %s, which can differ "
				       "from process to process", r->line, moving);
}

/* Is it part of the end of an Erlang process, whose links and tables go with it? */
static bool is_of_end(uint32_t kind)
{
	return kind == EVENT_EXIT_SIGNAL || kind == EVENT_ETS_DROP || kind == EVENT_FINISH;
}

/* The run followed the schedule to the failure and ended well: the next step of the schedule is part
 * of the end of the process that failed, which did nothing more in this run. */
static bool is_at_failure(const struct follower_run *f, uint32_t step)
{
	const struct decision *next = &f->rerun->saved->decisions[step];

	if (f->trace.end != END_DONE || !is_of_end(next->kind) || next->kind == EVENT_FINISH)
		return false;
	for (uint32_t i = step; i < f->trace.events_len; i++)
		if (f->trace.events[i].actor == next->actor && !is_of_end(f->trace.events[i].kind))
			return false;
	return true;
}

static void answer_not_shown(struct follower_run *f)
{
	const struct saved *saved = f->rerun->saved;
	struct rerun *r = f->rerun;
	uint32_t step = same_way(&f->trace, saved);

	if (f->trace.end == END_LOST) {
		r->answer = RERUN_LOST;
		r->line = arena_printf(&r->arena, "lost control: %s",
				       f->trace.message && f->trace.message[0] ? f->trace.message
									       : "unknown");
	} else if (step + 1 < saved->decisions_len && /* the last step is the failure itself */
		   !is_at_failure(f, step)) {
		answer_other_way(f, step);
	} else {
		uint32_t len = step + 1 < saved->decisions_len ? step : saved->decisions_len;

		r->answer = RERUN_NOT_SHOWN;
		if (is_schedule(saved))
			r->line = arena_printf(&r->arena, "nothing is wrong: the schedule was "
					       "followed to its end (%u step%s)", len, PLURAL(len));
		else
			r->line = arena_printf(&r->arena,
				       "not shown: the %s is fixed or hidden; the schedule was "
				       "followed to its end (%u step%s)", saved->kind, len,
				       PLURAL(len));
	}
	name_moving(r);
}

/* The words for a finding may tell what another thread does in the run that ends well. */
static void give_passing(const struct rerun *r, struct found *found)
{
	const struct saved *saved = r->saved;
	size_t size = saved->passing_len * sizeof(*saved->passing);

	if (!saved->passing || !size)
		return;
	found->is_tied = json_is_true(json_object_get(saved->words, "tied_to_environment"));
	found->passing = mem_alloc(size);
	memcpy(found->passing, saved->passing, size);
	found->passing_len = saved->passing_len;
	found->reversed.first = FOUND_NO_PAIR;
}

static void explain(struct follower_run *f, struct found *found)
{
	struct rerun *r = f->rerun;
	struct prop_failure failure;

	give_passing(r, found);
	if (!f->test_of) {
		explain_finding(f->target, found, &r->arena, &r->words);
		return;
	}
	failure = (struct prop_failure){checker_model(f->target), f->target,
					checker_test(f->target),
					checker_outcomes(f->target), found};
	prop_session_explain(&failure, f->test_of, &r->arena, &r->words);
}

/* The decisions are those of the run that showed the finding: the program may have changed. */
static void debug_beam(struct follower_run *f)
{
	struct decision *decisions = found_decisions(&f->trace);
	uint32_t len = f->trace.events_len;
	struct err err = {0};

	if (!beam_debug(f->target, decisions, len, &f->rerun->words, &err))
		fail(f->rerun, &err);
	mem_free(decisions);
}

static void answer_shown(struct follower_run *f)
{
	struct rerun *r = f->rerun;
	struct found found = {.finding = f->finding, .trace = trace_copy(&f->trace),
			      .preemptions = trace_preemptions(&f->trace)};
	struct report report = {.verdict = REPORT_BUG, .findings = &r->words, .findings_len = 1};
	struct strbuf line = {0};

	found_keep_output(&found, &f->trace);
	explain(f, &found);
	rerun_words_complete(r->saved, &r->words, &r->arena);
	r->words.fingerprint = r->saved->fingerprint;
	r->words.path = r->path;
	r->words.executions_before = (uint64_t)json_integer_value(
		json_object_get(r->saved->words, "executions_before"));
	report_verdict_line(&report, &line);
	if (f->near_runs)
		strbuf_addf(&line, " (shown by another schedule, number %u of those tried)",
			    f->near_runs);
	if (f->is_reworded)
		rerun_words_old(r->saved, r->words.message, &line);
	r->answer = RERUN_SHOWN;
	r->line = arena_strdup(&r->arena, strbuf_text(&line) + strlen("fermata: "));
	strbuf_release(&line);
	if (r->debug)
		debug_beam(f);
	found_release(&found);
}

/* The saved schedule shows nothing in this build: the bug may be one step away from it. */
static void answer_by_others(struct follower_run *f)
{
	struct rerun *r = f->rerun;
	bool is_shown = false;
	struct err err = {0};

	if (!search_near(f, &is_shown, &err))
		return;
	if (is_shown)
		answer_shown(f);
	else
		r->line = arena_printf(&r->arena, "%s; %u schedule%s near it did not show it either",
				       r->line, f->near_runs, PLURAL(f->near_runs));
}

/* Must the schedule be followed by its actors alone? */
static bool is_left(const struct follower_run *f)
{
	return f->trace.end == END_DIVERGED ||
	       (f->trace.end != END_LOST &&
		same_way(&f->trace, f->rerun->saved) < f->rerun->saved->decisions_len);
}

static void rerun_target(struct rerun *r, struct target *target, const char *test_of)
{
	struct follower_run f = {.rerun = r, .target = target, .test_of = test_of};
	uint64_t shown = 0, done;
	bool is_shown = false;
	struct err err = {0};

	target->ops->want_stacks(target, true);
	for (done = 0; done < r->times && stop_wanted != STOP_INTERRUPTED; done++) {
		bool ok = run_once(&f, &is_shown, &err);

		if (ok && !is_shown && !f.by_actors && is_left(&f)) {
			f.by_actors = true;
			ok = run_once(&f, &is_shown, &err);
		}
		if (!ok) {
			fail(r, &err);
			return;
		}
		shown += is_shown;
		if (shown == 0)
			break;
	}
	if (shown == r->times) {
		answer_shown(&f);
	} else if (stop_wanted == STOP_INTERRUPTED) {
		r->answer = RERUN_LOST;
		r->line = arena_printf(&r->arena, "interrupted: the %s showed in %lu of %lu runs",
				       r->saved->kind, shown, done);
	} else if (shown) {
		r->answer = RERUN_LOST;
		r->line = arena_printf(&r->arena,
				       "lost control: the %s showed %lu times out of %lu",
				       r->saved->kind, shown, r->times);
	} else {
		const char *other = f.has_other ? rerun_words_other(target, &f.other, &r->arena)
						: NULL;

		answer_not_shown(&f);
		if (r->answer != RERUN_LOST && !r->saved->other && !is_schedule(r->saved))
			answer_by_others(&f);
		if (other && r->answer != RERUN_SHOWN)
			r->line = arena_printf(&r->arena, "%s; %s", r->line, other);
	}
}

/* Runs the finding once in an instance of its own, to tell gdb about it. A finding that does not show is
 * looked at without that. */
static void learn_bug(struct rerun *r, struct target *target, struct debugger_bug *bug)
{
	struct err err = {0};
	struct follower_run f = {.rerun = r, .target = target->ops->again(target, &err)};
	bool is_shown = false;

	if (!f.target)
		return;
	f.target->ops->want_stacks(f.target, true);
	if (run_once(&f, &is_shown, &err) && is_shown) {
		struct found found = {.finding = f.finding, .trace = trace_copy(&f.trace)};

		explain(&f, &found);
		debugger_learn(bug, f.target, found.trace, &found.finding, &r->words);
		found_release(&found);
	}
	f.target->ops->free(f.target);
}

/* Runs gdb on the process in which the schedule has just failed. */
static void debug(struct rerun *r, struct target *target)
{
	struct schedule schedule = {.decisions = r->saved->decisions,
				    .decisions_len = r->saved->decisions_len, .tail = TAIL_FIRST};
	struct err err = {0};
	struct debugger_bug bug = {0};
	pid_t stopped;
	int status;

	if (!r->stop_at)
		learn_bug(r, target, &bug);
	stopped = native_run_stopped(target, &schedule, r->stop_at ? r->stop_at : 1, &err);
	status = stopped < 0 ? -1 : r->stop_at ? debugger_wait(stopped)
					       : debugger_run(stopped, r->path, &bug, &err);
	debugger_forget(&bug);
	if (status < 0) {
		fail(r, &err);
		return;
	}
	r->answer = RERUN_SHOWN;
	r->status = status ? status : EXIT_BUG;
}

/* ---- making the target ---- */

/* `outer`: the target to run, `inner`: the one that knows the program. */
static void rerun_opened(struct rerun *r, struct target *outer, struct target *inner,
			 const char *test_of)
{
	struct err err = {0};

	if (!inner->ops->load_knowledge(inner, r->saved->knowledge, &err))
		fail(r, &err);
	else if (r->gdb)
		debug(r, inner);
	else
		rerun_target(r, outer, test_of);
}

static void rerun_native(struct rerun *r)
{
	struct native_setup setup;
	struct err err = {0};
	struct target *target = native_setup_load(&setup, r->saved->setup, &err);

	if (target) {
		rerun_opened(r, target, target, NULL);
		target->ops->free(target);
	} else {
		fail(r, &err);
	}
	native_setup_release(&setup);
}

static void rerun_beam(struct rerun *r)
{
	struct beam_setup setup;
	struct err err = {0};
	struct target *target = beam_setup_load(&setup, r->saved->setup, &err);

	if (target) {
		rerun_opened(r, target, target, NULL);
		target->ops->free(target);
	} else {
		fail(r, &err);
	}
	beam_setup_release(&setup);
}

/* A test of a model. Frees the model. */
static void rerun_test(struct rerun *r, struct model *model, const char *program)
{
	const json_t *prop = json_object_get(r->saved->setup, "prop");
	json_int_t search = json_integer_value(json_object_get(prop, "search"));
	struct target *inner = model->ops->target(model), *target = NULL;
	struct prop_test test;
	struct err err = {0};

	if (model->ops->load(model, json_object_get(prop, "test"), &test, &err))
		target = prop_target_create(model, &test, search > 0 ? (uint64_t)search : 1, &err);
	if (target) {
		rerun_opened(r, target, inner, program);
		target->ops->free(target);
	} else {
		fail(r, &err);
	}
	model->ops->free(model);
}

static void rerun_native_test(struct rerun *r)
{
	struct native_setup setup;
	struct err err = {0};
	struct target *target = native_setup_load(&setup, r->saved->setup, &err);
	struct model *model = target ? native_model_create(target, setup.program.argv[0], &err)
				     : NULL;

	if (model)
		rerun_test(r, model, setup.program.argv[0]);
	else
		fail(r, &err);
	native_setup_release(&setup);
}

static void rerun_beam_test(struct rerun *r)
{
	const char *name = json_string_value(json_object_get(r->saved->setup, "function"));
	struct err err = {0};
	struct model *model;
	struct prop_beam_replay *opened = prop_beam_load(r->saved->setup, &model, &err);

	if (!opened) {
		fail(r, &err);
		return;
	}
	if (model) {
		rerun_test(r, model, name ? name : "the module");
	} else {
		struct target *target = prop_beam_target(opened);

		rerun_opened(r, target, target, NULL);
	}
	prop_beam_free(opened);
}

void rerun(struct rerun *r)
{
	const char *folder = json_string_value(json_object_get(r->saved->setup, "folder"));
	bool is_test = json_object_get(r->saved->setup, "prop") != NULL;
	bool is_beam = strcmp(r->saved->target, "beam") == 0;
	struct err err = {0};

	if (folder && folder[0] && chdir(folder) != 0)
		exits_warn("the folder %s does not exist any more: the program runs in the current "
			   "one", folder);
	surroundings_restore(r->saved->setup);
	if (is_beam && r->gdb)
		err_set(&err, "--gdb works for C and C++ programs only; for Erlang there is --debug");
	else if (!is_beam && r->debug)
		err_set(&err, "--debug works for Erlang and Elixir only; for C and C++ there is --gdb");
	else if (is_beam)
		is_test ? rerun_beam_test(r) : rerun_beam(r);
	else if (strcmp(r->saved->target, "native") == 0)
		is_test ? rerun_native_test(r) : rerun_native(r);
	else
		err_set(&err, "%s: unknown kind of program '%s'", r->path, r->saved->target);
	if (err.message[0])
		fail(r, &err);
}
