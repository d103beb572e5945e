/* fermata/model.h: test an interface in parallel against its sequential model.
 *
 * You say which calls there are, what they do one at a time (the model), and how to
 * make the object they work on. `fermata prop -- ./program` then makes up tests (a few
 * calls one after the other, then branches of calls in parallel threads), runs each
 * under many schedules, and asks whether some order of the calls explains the results.
 * A failure comes back as the fewest calls and the one schedule that matter.
 *
 *     #include <fermata/model.h>
 *
 *     struct model { long value; };                      // plain data, no pointers
 *
 *     static void start(void) { counter = counter_new(); }
 *     static void stop(void) { counter_free(counter); }
 *
 *     static long call_add(const long *args) { return counter_add(counter, args[0]); }
 *     static long step_add(void *state, const long *args, const long *result)
 *     {
 *             return ((struct model *)state)->value += args[0];
 *     }
 *
 *     static const struct fermata_command commands[] = {
 *             {.name = "add", .args_len = 1, .args = {{0, 3}}, .call = call_add,
 *              .step = step_add},
 *     };
 *     const struct fermata_model counter_model = {
 *             .commands = commands, .commands_len = 1, .state_size = sizeof(struct model),
 *             .setup = start, .teardown = stop,
 *     };
 *     FERMATA_MODEL_MAIN(counter_model)
 *
 *     $ fermata cc -pthread counter.c -o counter && fermata prop -- ./counter
 *
 * Leave out every `step` and there is no model: the object must then be linearizable
 * against itself, that is, give results that it also gives in some sequential order.
 *
 * Any other compiler builds the program as well; it then only prints that fermata must run
 * it. A failing test that was saved as source calls fermata_regression().
 */
#ifndef FERMATA_MODEL_H
#define FERMATA_MODEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	FERMATA_ARGS_MAX = 4,
	FERMATA_COMMANDS_MAX = 64,
	FERMATA_CALLS_MAX = 64,
	FERMATA_BRANCHES_MAX = 8,
	FERMATA_STATE_MAX = 4096, /* bytes of a model's state */
	FERMATA_NAME_MAX = 64,
};

/* An argument is drawn from low … high, both included, and shrinks towards 0. */
struct fermata_range {
	long low, high;
};

/* Where generators take what is random. */
struct fermata_random {
	uint64_t state;
};

struct fermata_command {
	const char *name;
	unsigned args_len;
	struct fermata_range args[FERMATA_ARGS_MAX];
	unsigned weight; /* how often, compared with the others; 0 counts as 1 */

	/* Optional: draws the arguments instead of `args`, whose ranges they may leave. */
	void (*generate)(const void *state, struct fermata_random *random, long *args);
	/* Optional: may the call be made in this state? It must not depend on the object. */
	bool (*may)(const void *state, const long *args);
	/* Makes the call on the object and returns its result. */
	long (*call)(const long *args);
	/* Changes the model's state as the call would, and returns what the call must return.
	 * `result` is what it did return, or NULL while a test is being made up. */
	long (*step)(void *state, const long *args, const long *result);
	/* Optional, for results that are not determined: is this result right in this state
	 * (before the step)? The result of step is then not used. */
	bool (*check)(const void *state, const long *args, long result);
};

struct fermata_model {
	const struct fermata_command *commands;
	unsigned commands_len;
	size_t state_size;            /* of the model's state; it is zero before the first call */
	void (*initial)(void *state); /* optional: fills it in otherwise */
	void (*setup)(void);          /* optional: makes the object, before each run */
	void (*teardown)(void);       /* optional: after each run */
};

/* One call of a fixed test: branch 0 runs first and alone, then 1, 2 … in parallel. */
struct fermata_call {
	unsigned branch;
	const char *command;
	long args[FERMATA_ARGS_MAX];
};

/* For generators: uniform in low … high. */
static inline long fermata_between(struct fermata_random *random, long low, long high)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15u, range = (uint64_t)high - (uint64_t)low;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return (long)((uint64_t)low + (range == UINT64_MAX ? z : z % (range + 1)));
}

/* ---- what the tool and the program share; not for users ---- */

enum fermata_request {
	FERMATA_RUN,      /* make the calls of the test */
	FERMATA_INITIAL,  /* state before the first call */
	FERMATA_GENERATE, /* a command and its arguments that may be called in `state` */
	FERMATA_STEP,     /* may it be called; then the state after it */
	FERMATA_CHECK,    /* may it return `result`; then the state after it */
};

enum { FERMATA_AREA_MAGIC = 0x464d4d31 };

struct fermata_area_call {
	uint32_t command, branch;
	int64_t args[FERMATA_ARGS_MAX];
};

struct fermata_area_outcome {
	uint32_t progress; /* 0 not begun, 1 begun, 2 returned */
	uint32_t begin, end; /* steps of the run before and after it */
	uint32_t actor;
	int64_t value;
};

struct fermata_area_command {
	char name[FERMATA_NAME_MAX];
	uint32_t args_len;
	uint32_t has_step, has_generate, has_may;
	int64_t low[FERMATA_ARGS_MAX], high[FERMATA_ARGS_MAX];
};

/* Shared memory: what the program says about its model once, then requests and answers. */
struct fermata_area {
	uint32_t magic; /* set by the program when the rest of this part is there */
	uint32_t commands_len;
	uint64_t state_size;
	char symbol[FERMATA_NAME_MAX], file[1024];
	char wrong[256]; /* what is wrong with the model; empty if nothing is */
	struct fermata_area_command commands[FERMATA_COMMANDS_MAX];

	uint32_t request; /* enum fermata_request */
	uint32_t calls_len, branches_len;
	struct fermata_area_call calls[FERMATA_CALLS_MAX];
	struct fermata_area_outcome outcomes[FERMATA_CALLS_MAX];

	uint32_t answer; /* 0 no, 1 yes, 2 nothing was answered */
	uint32_t spare;
	uint64_t seed;
	int64_t result;
	struct fermata_area_call question;
	/* The state asked about, and the one that is the answer: a run may be repeated. */
	unsigned char state[FERMATA_STATE_MAX], next[FERMATA_STATE_MAX];
};

#ifdef __cplusplus
extern "C" {
#endif
/* In fermata's runtime; not there in a program that another compiler made. */
__attribute__((weak)) struct fermata_area *fermata_runtime_area(size_t size);
__attribute__((weak)) void fermata_runtime_begin(void);
__attribute__((weak)) uint32_t fermata_runtime_steps(uint32_t *actor);
#ifdef __cplusplus
}
#endif

/* The code below is the tool's hand in the program: its own memory accesses are nobody's
 * steps. So it also copies by hand. */
#if defined(__clang__)
#define FERMATA_OURS __attribute__((no_sanitize("thread"), unused)) static
#else
#define FERMATA_OURS __attribute__((no_sanitize_thread, unused)) static
#endif

struct fermata_branch {
	const struct fermata_model *model;
	struct fermata_area *area;
	uint32_t number;
};

FERMATA_OURS void fermata_copy(void *to, const void *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((volatile unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

FERMATA_OURS void fermata_copy_text(char *to, const char *from, size_t size)
{
	size_t i = 0;

	for (; from && from[i] && i + 1 < size; i++)
		((volatile char *)to)[i] = from[i];
	((volatile char *)to)[i] = '\0';
}

FERMATA_OURS void fermata_describe_command(struct fermata_area *area,
					   const struct fermata_command *command, unsigned i)
{
	struct fermata_area_command *to = &area->commands[i];

	fermata_copy_text(to->name, command->name ? command->name : "", sizeof(to->name));
	to->args_len = command->args_len;
	to->has_step = command->step != NULL;
	to->has_generate = command->generate != NULL;
	to->has_may = command->may != NULL;
	for (unsigned a = 0; a < FERMATA_ARGS_MAX; a++) {
		to->low[a] = command->args[a].low;
		to->high[a] = command->args[a].high;
	}
}

FERMATA_OURS void fermata_describe(struct fermata_area *area, const struct fermata_model *model,
				   const char *symbol, const char *file)
{
	area->commands_len = model->commands_len;
	area->state_size = model->state_size;
	fermata_copy_text(area->symbol, symbol, sizeof(area->symbol));
	fermata_copy_text(area->file, file, sizeof(area->file));
	if (!model->commands_len || model->commands_len > FERMATA_COMMANDS_MAX)
		fermata_copy_text(area->wrong, "it has no commands, or more than 64",
				  sizeof(area->wrong));
	else if (model->state_size > FERMATA_STATE_MAX)
		fermata_copy_text(area->wrong, "its state is larger than 4096 bytes",
				  sizeof(area->wrong));
	for (unsigned i = 0; i < model->commands_len && i < FERMATA_COMMANDS_MAX; i++) {
		if (!model->commands[i].call || model->commands[i].args_len > FERMATA_ARGS_MAX)
			fermata_copy_text(area->wrong, "a command has no call, or more than 4 "
					  "arguments", sizeof(area->wrong));
		fermata_describe_command(area, &model->commands[i], i);
	}
	area->magic = FERMATA_AREA_MAGIC;
}

/* ---- running a test ---- */

FERMATA_OURS uint32_t fermata_steps(struct fermata_area_outcome *outcome)
{
	return fermata_runtime_steps ? fermata_runtime_steps(&outcome->actor) : 0;
}

FERMATA_OURS void fermata_make_calls(const struct fermata_branch *branch)
{
	struct fermata_area *area = branch->area;

	for (uint32_t i = 0; i < area->calls_len; i++) {
		struct fermata_area_outcome *outcome = &area->outcomes[i];
		long args[FERMATA_ARGS_MAX];

		if (area->calls[i].branch != branch->number)
			continue;
		for (unsigned a = 0; a < FERMATA_ARGS_MAX; a++)
			((volatile long *)args)[a] = (long)area->calls[i].args[a];
		outcome->begin = fermata_steps(outcome);
		outcome->progress = 1;
		outcome->value = branch->model->commands[area->calls[i].command].call(args);
		outcome->end = fermata_steps(outcome);
		outcome->progress = 2;
	}
}

FERMATA_OURS void *fermata_branch_main(void *arg)
{
	fermata_make_calls((const struct fermata_branch *)arg);
	return NULL;
}

FERMATA_OURS void fermata_run_test(const struct fermata_model *model, struct fermata_area *area)
{
	struct fermata_branch branches[FERMATA_BRANCHES_MAX + 1];
	pthread_t threads[FERMATA_BRANCHES_MAX + 1];

	for (uint32_t i = 0; i < area->calls_len; i++)
		area->outcomes[i].progress = 0;
	for (uint32_t b = 0; b <= area->branches_len; b++) {
		branches[b].model = model;
		branches[b].area = area;
		branches[b].number = b;
	}
	if (model->setup)
		model->setup();
	fermata_make_calls(&branches[0]);
	for (uint32_t b = 1; b <= area->branches_len; b++)
		if (pthread_create(&threads[b], NULL, fermata_branch_main, &branches[b]) != 0)
			abort();
	for (uint32_t b = 1; b <= area->branches_len; b++)
		pthread_join(threads[b], NULL);
	if (model->teardown)
		model->teardown();
}

/* ---- questions to the model ---- */

/* The part of a state that generators and steps see: in memory of the program's own, aligned. */
union fermata_state {
	unsigned char bytes[FERMATA_STATE_MAX];
	long double align;
};

FERMATA_OURS const struct fermata_command *fermata_draw(const struct fermata_model *model,
							struct fermata_random *random)
{
	unsigned long total = 0;
	long at;

	for (unsigned i = 0; i < model->commands_len; i++)
		total += model->commands[i].weight ? model->commands[i].weight : 1;
	at = fermata_between(random, 0, (long)total - 1);
	for (unsigned i = 0;; i++) {
		at -= model->commands[i].weight ? (long)model->commands[i].weight : 1;
		if (at < 0 || i + 1 == model->commands_len)
			return &model->commands[i];
	}
}

FERMATA_OURS bool fermata_generate(const struct fermata_model *model, struct fermata_area *area,
				   const void *state)
{
	struct fermata_random random = {area->seed};
	const struct fermata_command *command = fermata_draw(model, &random);
	long args[FERMATA_ARGS_MAX] = {0};

	for (unsigned a = 0; a < command->args_len && !command->generate; a++)
		args[a] = fermata_between(&random, command->args[a].low, command->args[a].high);
	if (command->generate)
		command->generate(state, &random, args);
	area->question.command = (uint32_t)(command - model->commands);
	for (unsigned a = 0; a < FERMATA_ARGS_MAX; a++)
		area->question.args[a] = args[a];
	return !command->may || command->may(state, args);
}

/* One step of the model; `result` NULL: only whether it may be called. */
FERMATA_OURS bool fermata_step(const struct fermata_command *command, void *state,
			       const long *args, const long *result)
{
	bool right = result ? !command->check || command->check(state, args, *result)
			    : !command->may || command->may(state, args);
	long expected;

	if (!right || !command->step)
		return right;
	expected = command->step(state, args, result);
	return !result || command->check || expected == *result;
}

FERMATA_OURS void fermata_answer(const struct fermata_model *model, struct fermata_area *area)
{
	static union fermata_state state;
	long args[FERMATA_ARGS_MAX], result = (long)area->result;
	bool yes = true;

	fermata_copy(state.bytes, area->state, model->state_size);
	for (unsigned a = 0; a < FERMATA_ARGS_MAX; a++)
		args[a] = (long)area->question.args[a];
	if (area->request == FERMATA_GENERATE)
		yes = fermata_generate(model, area, state.bytes);
	else if (area->request == FERMATA_INITIAL && model->initial)
		model->initial(state.bytes);
	else if (area->request == FERMATA_STEP || area->request == FERMATA_CHECK)
		yes = fermata_step(&model->commands[area->question.command], state.bytes, args,
				   area->request == FERMATA_CHECK ? &result : NULL);
	fermata_copy(area->next, state.bytes, model->state_size);
	area->answer = yes;
}

/* Serves the tool; returns what main is to return. */
FERMATA_OURS int fermata_model_run(const struct fermata_model *model, const char *symbol,
				   const char *file)
{
	struct fermata_area *area =
		fermata_runtime_area ? fermata_runtime_area(sizeof(*area)) : NULL;

	if (!area) {
		fputs("this program tests a model: run it by `fermata prop -- PROGRAM`\n", stderr);
		return 2;
	}
	fermata_describe(area, model, symbol, file);
	fermata_runtime_begin(); /* each run starts here; the area is as the tool left it */
	if (area->request == FERMATA_RUN)
		fermata_run_test(model, area);
	else
		fermata_answer(model, area);
	return 0;
}

/* main() of a program that does nothing but serve this model. With -DFERMATA_NO_MAIN it is
 * left out, so that a regression test can be linked with the rest. */
#ifdef FERMATA_NO_MAIN
#define FERMATA_MODEL_MAIN(model)
#else
#define FERMATA_MODEL_MAIN(model)                                              \
	int main(void)                                                         \
	{                                                                      \
		return fermata_model_run(&(model), #model, __FILE__);          \
	}
#endif

/* ---- regression tests ---- */

struct fermata_replay {
	const struct fermata_model *model;
	struct fermata_area area;
	uint32_t order[FERMATA_CALLS_MAX];
};

/* Without a model: do the calls made alone in this order give the same results? */
FERMATA_OURS bool fermata_repeats(struct fermata_replay *replay, uint32_t len)
{
	const struct fermata_model *model = replay->model;
	bool same = true;

	if (model->setup)
		model->setup();
	for (uint32_t i = 0; i < len && same; i++) {
		const struct fermata_area_call *call = &replay->area.calls[replay->order[i]];
		long args[FERMATA_ARGS_MAX];

		for (unsigned a = 0; a < FERMATA_ARGS_MAX; a++)
			args[a] = (long)call->args[a];
		same = model->commands[call->command].call(args) ==
		       replay->area.outcomes[replay->order[i]].value;
	}
	if (model->teardown)
		model->teardown();
	return same;
}

/* Is call i the next of its branch, the prefix before all others? */
FERMATA_OURS bool fermata_is_next(const struct fermata_replay *replay, uint32_t len, uint32_t i)
{
	const struct fermata_area_call *calls = replay->area.calls;

	for (uint32_t j = 0; j < replay->area.calls_len; j++) {
		bool done = false;

		for (uint32_t k = 0; k < len; k++)
			done |= replay->order[k] == j;
		if (j == i ? done
			   : !done && (j < i || calls[i].branch != calls[j].branch) &&
			     (calls[j].branch == 0 || calls[j].branch == calls[i].branch))
			return false;
	}
	return true;
}

/* Does some order that begins with order[0 … len-1] and has led to `state` explain the
 * results? */
FERMATA_OURS bool fermata_explains(struct fermata_replay *replay, uint32_t len,
				   const union fermata_state *state)
{
	const struct fermata_model *model = replay->model;

	if (len == replay->area.calls_len)
		return true;
	for (uint32_t i = 0; i < replay->area.calls_len; i++) {
		const struct fermata_area_call *call = &replay->area.calls[i];
		const struct fermata_command *command = &model->commands[call->command];
		union fermata_state next = *state;
		long args[FERMATA_ARGS_MAX], result = (long)replay->area.outcomes[i].value;
		bool right;

		if (!fermata_is_next(replay, len, i))
			continue;
		for (unsigned a = 0; a < FERMATA_ARGS_MAX; a++)
			args[a] = (long)call->args[a];
		replay->order[len] = i;
		right = command->step ? fermata_step(command, next.bytes, args, &result)
				      : fermata_repeats(replay, len + 1);
		if (right && fermata_explains(replay, len + 1, &next))
			return true;
	}
	return false;
}

/* Runs a fixed test once, as threads, and aborts with a message if no order explains its
 * results. Under `fermata test` every schedule is tried. */
FERMATA_OURS int fermata_regression(const struct fermata_model *model,
				    const struct fermata_call *calls, unsigned calls_len)
{
	static struct fermata_replay replay;
	static union fermata_state state;

	replay.model = model;
	for (unsigned i = 0; i < calls_len && i < FERMATA_CALLS_MAX; i++) {
		struct fermata_area_call *call = &replay.area.calls[i];

		while (call->command < model->commands_len &&
		       strcmp(model->commands[call->command].name, calls[i].command) != 0)
			call->command++;
		if (call->command == model->commands_len ||
		    calls[i].branch > FERMATA_BRANCHES_MAX) {
			fprintf(stderr, "the model has no command %s\n", calls[i].command);
			return 2;
		}
		call->branch = calls[i].branch;
		for (unsigned a = 0; a < FERMATA_ARGS_MAX; a++)
			call->args[a] = calls[i].args[a];
		if (call->branch > replay.area.branches_len)
			replay.area.branches_len = call->branch;
		replay.area.calls_len = i + 1;
	}
	fermata_run_test(model, &replay.area);
	if (model->initial)
		model->initial(state.bytes);
	if (fermata_explains(&replay, 0, &state))
		return 0;
	fputs("no order of the calls explains their results\n", stderr);
	abort();
}

#endif
