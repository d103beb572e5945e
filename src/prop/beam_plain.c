#include "prop/beam_plain.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/rng.h"
#include "vm/memory/heap.h"
#include "vm/run.h"
#include "vm/terms/atom.h"
#include "vm/terms/etf.h"
#include "vm/terms/print.h"
#include "vm/terms/text.h"

/* Sizes grow from test to test, as in PropEr; shrinking is bounded. */
enum { SIZE_LARGEST = 42, ROUNDS_MAX = 1000 };

/* ---- one instance ---- */

static struct process *start(void *ctx, struct err *err)
{
	struct beam_plain *p = ctx;
	struct vm *vm = vm_get();
	struct process *root = process_find(vm, vm->init_pid);
	term args[3] = {p->driver->module, p->property,
			beam_terms_get(&p->terms, p->instance, root)};

	(void)err;
	return vm_spawn(vm, root, p->driver->name, atom_from_string("evaluate"),
			heap_list(root, args, 3, NIL));
}

/* 1 + the last step of the test before its end: by then the property is false. 0 if it has none. */
static uint32_t last_step(const struct trace *trace)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < trace->events_len; i++) {
		if (trace->events[i].actor == 0 && trace->events[i].kind == EVENT_FINISH)
			break;
		last = trace->events[i].actor == 0 ? i + 1 : last;
	}
	return last;
}

/* {1, true | false | discarded | expected | unexpected | {raised, Text} | {needs, Function} |
 * {not_supported, Text}} */
static void read_answer(struct beam_plain *p, struct target *target, term answer,
			struct trace *trace)
{
	bool has_text = term_is_tuple_of(answer, 2);
	struct strbuf text = {0};

	p->has_failed |= answer == atom_from_string("expected");
	p->shall_fail |= p->has_failed || answer == atom_from_string("unexpected");
	if (answer == A_true || (term_is_atom(answer) && answer != A_false))
		return;
	if (has_text)
		print_chars(tuple_element(answer, 1), &text);
	if (has_text && tuple_element(answer, 0) != atom_from_string("raised")) {
		p->needs_proper = tuple_element(answer, 0) == atom_from_string("needs");
		strbuf_clear(&p->unfit);
		strbuf_adds(&p->unfit, strbuf_text(&text));
		strbuf_release(&text);
		return;
	}
	p->notice = (struct notice){.kind = FINDING_PROPERTY, .step = last_step(trace)};
	p->notice.site = beam_target_site(target, p->driver->module, p->property, 0);
	snprintf(p->notice.message, sizeof(p->notice.message), "the property %s%s",
		 has_text ? "raises " : "is false", strbuf_text(&text));
	strbuf_release(&text);
	trace->notices = &p->notice;
	trace->notices_len = 1;
	trace->deaths_len = trace->waiters_len = 0;
}

static void stop(void *ctx, struct target *target, struct trace *trace)
{
	for (const struct note *note = vm_get()->notes.first; note; note = note->next)
		if (term_is_tuple_of(note->content, 2))
			read_answer(ctx, target, tuple_element(note->content, 1), trace);
}

void beam_plain_init(struct beam_plain *p, struct target *target, struct beam_driver *driver,
		     term property)
{
	struct beam_hooks hooks = {.begin = start, .end = stop, .instance = &p->text, .ctx = p};

	*p = (struct beam_plain){.target = target, .driver = driver, .property = property};
	beam_target_set_hooks(target, &hooks);
}

void beam_plain_release(struct beam_plain *p)
{
	beam_terms_release(&p->terms);
	strbuf_release(&p->unfit);
	strbuf_release(&p->text);
}

/* ---- the search ---- */

static bool is_stopped(const struct prop_options *options)
{
	return options->stop && *options->stop;
}

static bool refuse(const struct beam_plain *p, struct err *err)
{
	const char *module = atom_text(p->driver->module), *property = atom_text(p->property);

	if (p->needs_proper)
		return err_set(err, "%s:%s/0 needs PropEr, which is not installed: it calls %s",
			       module, property, strbuf_text(&p->unfit));
	return err_set(err, "%s:%s/0 uses %s, which is not supported", module, property,
		       strbuf_text(&p->unfit));
}

/* Explores the installed instance quietly. */
static bool fails(struct beam_plain *p, const struct prop_options *options, uint64_t *runs,
		  uint64_t *steps, bool *failed, struct err *err)
{
	struct explore_options o = {.strategy = options->strategy, .params = options->params,
				    .max_runs = options->schedules, .ignored = options->ignored,
				    .stop = (volatile sig_atomic_t *)options->stop};
	struct explore_result result;
	bool ok;

	beam_driver_learn(p->driver);
	ok = explore(p->target, &o, &result, err);
	*failed = ok && result.found.len > 0;
	*runs += explore_runs(&result);
	*steps += result.steps;
	if (ok && result.lost && (result.hung || !is_stopped(options)))
		ok = err_set_unsupported(err, "lost control: %s", result.reason);
	if (ok && p->unfit.len)
		ok = refuse(p, err);
	explore_result_release(&result);
	return ok;
}

/* {Size, Seed, Imm}: what an instance is made of. */
static enum prop_answer generate(struct beam_plain *p, uint64_t test, uint64_t seed,
				 struct err *err)
{
	struct process *root = beam_driver_begin(p->driver);
	struct rng rng = rng_seeded(seed);
	term size = small_make(1 + (int64_t)(test % SIZE_LARGEST)), value;
	term seeds = heap_tuple3(root, small_make((int64_t)rng_below(&rng, 1 << 30)),
				 small_make((int64_t)rng_below(&rng, 1 << 30)),
				 small_make((int64_t)rng_below(&rng, 1 << 30)));
	term args[4] = {p->driver->module, p->property, size, seeds};
	enum prop_answer answer = beam_driver_ask(p->driver, "instance", args, 4, &value, NULL,
						  err);

	if (answer == PROP_YES)
		p->instance = beam_terms_put(&p->terms, heap_tuple3(root, size, seeds, value));
	return answer;
}

VEC_TYPE(handle_vec, uint32_t);

/* The instances of one round of PropEr's shrinkers; false when there are no more rounds. */
static bool list_smaller(struct beam_plain *p, uint32_t round, struct handle_vec *out,
			 struct err *err)
{
	struct process *root = beam_driver_begin(p->driver);
	term made = beam_terms_get(&p->terms, p->instance, root), list;
	term args[4] = {p->driver->module, p->property, tuple_element(made, 2), small_make(round)};

	out->len = 0;
	if (beam_driver_ask(p->driver, "smaller", args, 4, &list, NULL, err) != PROP_YES)
		return false;
	for (term rest = list; term_is_cons(rest); rest = cons_tail(rest))
		*vec_push(out) = beam_terms_put(&p->terms, heap_tuple3(root, tuple_element(made, 0),
								      tuple_element(made, 1),
								      cons_head(rest)));
	return !term_is_atom(list) || list == NIL;
}

static void note(struct beam_plain *p, const struct beam_plain_result *result, bool is_failing)
{
	if (p->noted)
		p->noted(p->ctx, result, is_failing);
}

/* The first smaller instance that fails, in the place of the installed one. */
static bool step_down(struct beam_plain *p, const struct prop_options *options, double deadline,
		      struct beam_plain_result *result, bool *went, struct err *err)
{
	uint32_t larger = p->instance;
	struct handle_vec smaller = {0};
	bool ok = true;

	*went = false;
	for (uint32_t round = 0; round < ROUNDS_MAX && ok && !*went; round++) {
		p->instance = larger;
		if (clock_seconds() > deadline || !list_smaller(p, round, &smaller, err))
			break;
		for (size_t i = 0; i < smaller.len && ok && !*went; i++) {
			p->instance = smaller.items[i];
			if (p->instance == larger || clock_seconds() > deadline)
				continue;
			result->shrink_tests++;
			ok = fails(p, options, &result->shrink_runs, &result->steps, went, err);
		}
	}
	if (!*went)
		p->instance = larger;
	vec_release(&smaller);
	return ok && !err->message[0];
}

static bool shrink_instance(struct beam_plain *p, const struct prop_options *options,
			    struct beam_plain_result *result, struct err *err)
{
	double deadline = clock_seconds() + options->shrink_seconds;
	bool went = true;

	while (went) {
		note(p, result, true);
		if (!step_down(p, options, deadline, result, &went, err))
			return false;
	}
	return true;
}

static bool is_over_budget(const struct prop_options *o, double started,
			   struct beam_plain_result *result)
{
	double elapsed = clock_seconds() - started;

	result->seconds = elapsed;
	if (is_stopped(o) && *o->stop != EXPLORE_TIME_OVER)
		snprintf(result->reason, sizeof(result->reason), "interrupted");
	else if (is_stopped(o) || (o->max_seconds > 0 && elapsed >= o->max_seconds))
		snprintf(result->reason, sizeof(result->reason),
			 "stopped after %.1f seconds (--max-time)", elapsed);
	return result->reason[0];
}

/* A property that is to fail (fails/1) has failed, or not every instance was tried. */
static bool check_expected(const struct beam_plain *p, struct beam_plain_result *result,
			   struct err *err)
{
	if (p->has_failed)
		snprintf(result->reason, sizeof(result->reason),
			 "the last of which failed, as fails/1 expects");
	if (!p->shall_fail || result->reason[0])
		return true;
	return err_set(err, "%s:%s/0 holds for %lu random instances, and fails/1 expects that one fails",
		       atom_text(p->driver->module), atom_text(p->property), result->tests);
}

bool beam_plain_search(struct beam_plain *p, const struct prop_options *options,
		       struct beam_plain_result *result, struct err *err)
{
	struct rng rng = rng_seeded(options->params.seed);
	double started = clock_seconds();

	*result = (struct beam_plain_result){0};
	while (result->tests < options->tests && !p->has_failed &&
	       !is_over_budget(options, started, result)) {
		if (generate(p, result->tests, rng_next(&rng), err) != PROP_YES ||
		    !fails(p, options, &result->runs, &result->steps, &result->is_found, err))
			return false;
		if (result->is_found && !shrink_instance(p, options, result, err))
			return false;
		if (result->is_found) {
			beam_plain_print(p, &p->text);
			return true;
		}
		result->tests += !is_stopped(options);
		note(p, result, false);
	}
	return check_expected(p, result, err);
}

/* ---- words and files ---- */

void beam_plain_print(struct beam_plain *p, struct strbuf *out)
{
	struct process *root = beam_driver_begin(p->driver);
	term imm = tuple_element(beam_terms_get(&p->terms, p->instance, root), 2);
	struct err err = {0};
	term text = beam_driver_call(p->driver, "instance_text", &imm, 1, &err);

	if (text != TERM_NONE)
		print_chars(text, out);
	else
		strbuf_adds(out, err.message);
}

void beam_plain_save(const struct beam_plain *p, struct strbuf *hex)
{
	beam_terms_add_hex(&p->terms, p->instance, hex);
}

bool beam_plain_load(struct beam_plain *p, const char *hex, struct err *err)
{
	struct process *root = beam_driver_begin(p->driver);

	p->instance = beam_terms_put_hex(&p->terms, hex, root);
	if (p->instance && !term_is_tuple_of(beam_terms_get(&p->terms, p->instance, root), 3))
		p->instance = 0;
	if (p->instance)
		beam_plain_print(p, &p->text);
	return p->instance || err_set(err, "the finding's instance is damaged");
}
