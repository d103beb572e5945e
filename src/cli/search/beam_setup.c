#include "cli/search/beam_setup.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "beam/reason.h"
#include "cli/search/checked_setup.h"
#include "cli/search/stopping.h"
#include "cli/search/watched.h"

#define MEMORY_LIMIT ((size_t)4 << 30)

static char *copy(const char *text)
{
	return text && text[0] ? mem_strdup(text) : NULL;
}

/* Saved as absolute, so that a replay works from anywhere. */
static char *copy_path(const char *path)
{
	char resolved[PATH_MAX];

	return copy(path && realpath(path, resolved) ? resolved : path);
}

static void add_path(struct beam_setup *s, const char *path)
{
	*vec_push(&s->paths) = copy_path(path);
}

static bool declare(struct beam_setup *s, const struct test_options *o, struct err *err)
{
	if (o->normal_exit && !reason_is_pattern(o->normal_exit))
		return err_set(err, "--normal-exit takes a term like {undef,_}, not '%s'",
			       o->normal_exit);
	for (uint32_t i = 0; i < o->side_effects_len; i++)
		if (!declared_add(&s->declared, o->side_effects[i], err))
			return false;
	return !o->conflicts || declared_read_pairs(&s->declared, o->conflicts, err);
}

/* Reads what declared_json wrote; findings of older versions do not have it. */
static bool load_declared(struct beam_setup *s, const json_t *json, struct err *err)
{
	const json_t *functions = json_object_get(json, "functions");
	const json_t *pairs = json_object_get(json, "pairs");
	bool ok = true;

	for (size_t i = 0; i < json_array_size(functions) && ok; i++)
		ok = declared_add(&s->declared, json_string_value(json_array_get(functions, i)),
				  err);
	if (json_is_array(pairs))
		declared_begin_pairs(&s->declared);
	for (size_t i = 0; i < json_array_size(pairs) && ok; i++)
		ok = declared_add_pair(&s->declared, json_string_value(json_array_get(pairs, i)),
				       err);
	return ok;
}

static json_t *declared_json(const struct declared *d)
{
	json_t *functions = json_array(), *pairs = d->has_pairs ? json_array() : json_null();

	for (size_t i = 0; i < d->texts.len; i++)
		json_array_append_new(functions, json_string(d->texts.items[i]));
	for (size_t i = 0; i < d->pairs.len; i++)
		json_array_append_new(pairs, json_string(d->pairs.items[i]));
	return json_pack("{s:o, s:o}", "functions", functions, "pairs", pairs);
}

static struct target *start(struct beam_setup *s, struct err *err)
{
	stop_expect_machine();
	s->options.declared = s->declared.functions.len ? &s->declared : NULL;
	*vec_push(&s->paths) = NULL;
	s->options.paths = (const char *const *)s->paths.items;
	s->options.function = s->is_prop ? NULL : s->function;
	s->options.path = s->path;
	s->options.otp_dir = s->otp_dir;
	s->options.setup = (struct setup_options){
		.config = s->config, .start = s->start, .function = s->setup,
		.system = s->system};
	s->options.conduct.atomic = s->atomic;
	s->options.conduct.normal_exit = s->normal_exit;
	if (!s->options.memory_limit)
		s->options.memory_limit = MEMORY_LIMIT;
	return checked_setup(beam_target_create(&s->options, err), true);
}

struct target *beam_setup_create(struct beam_setup *s, const struct test_options *o,
				 const struct beam_subject *subject, struct err *err)
{
	*s = (struct beam_setup){
		.options.conduct = {
			.timeouts_ms = o->timeouts,
			.max_steps = (uint32_t)o->max_steps,
			.step_seconds = o->step_time,
			.stuck = o->stuck,
			.exits_any = o->exits != 0,
			.after_end = o->after_end,
			.count_blocks = o->count_blocks,
			.io_ordered = o->io != 0,
			.is_async = o->delivery != 0,
			.watch = subject->watch,
		},
		.options.suite = subject->suite,
		.options.no_stems = o->no_stems,
		.options.memory_limit = (size_t)o->max_memory << 20,
		.options.allow_io = o->allow_io,
		.options.seed = o->seed,
		.is_prop = subject->is_prop,
		.function = copy(subject->function),
		.path = copy(subject->path),
		.otp_dir = copy(o->otp),
		.setup = copy(o->setup),
		.start = copy(o->start),
		.config = copy_path(o->config),
		.atomic = copy(o->atomic),
		.system = o->system,
		.normal_exit = copy(o->normal_exit),
	};
	for (const char *const *path = subject->paths; *path; path++)
		add_path(s, *path);
	return declare(s, o, err) ? start(s, err) : NULL;
}

static const char *text_of(const char *text)
{
	return text ? text : "";
}

static json_t *options_json(const struct beam_setup *s)
{
	const struct conduct_options *c = &s->options.conduct;
	bool any = c->timeouts_ms == UINT64_MAX;

	return json_pack("{s:s, s:I, s:i, s:f, s:i, s:b, s:b, s:b, s:b, s:b, s:s, s:s}", "timeouts",
			 any ? "any" : "ms", "timeouts_ms",
			 any ? (json_int_t)0 : (json_int_t)c->timeouts_ms, "max_steps",
			 (int)c->max_steps, "step_time", c->step_seconds, "stuck", (int)c->stuck,
			 "exits_any", (int)c->exits_any,
			 "after_end", (int)c->after_end, "io_ordered", (int)c->io_ordered, "async",
			 (int)c->is_async, "count_blocks", (int)c->count_blocks, "atomic",
			 text_of(s->atomic), "normal_exit", text_of(s->normal_exit));
}

/* The settings of the machine that the program can observe. */
static json_t *machine_json(const struct beam_options *o)
{
	return json_pack("{s:I, s:b, s:I}", "max_memory", (json_int_t)(o->memory_limit >> 20),
			 "allow_io", (int)o->allow_io, "seed", (json_int_t)o->seed);
}

static void read_machine(struct beam_options *o, const json_t *json)
{
	json_int_t max_memory = 0, seed = 0;
	int allow_io = 0;

	json_unpack((json_t *)json, "{s?I, s?b, s?I}", "max_memory", &max_memory, "allow_io",
		    &allow_io, "seed", &seed);
	o->memory_limit = max_memory > 0 ? (size_t)max_memory << 20 : 0;
	o->allow_io = allow_io;
	o->seed = (uint64_t)seed;
}

json_t *beam_setup_json(const struct beam_setup *s)
{
	json_t *paths = json_array(), *json;
	char folder[PATH_MAX];

	for (size_t i = 0; i < s->paths.len && s->paths.items[i]; i++)
		json_array_append_new(paths, json_string(s->paths.items[i]));
	json = json_pack("{s:s, s:o, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "function", s->function,
			 "paths", paths, "otp", text_of(s->otp_dir), "setup", text_of(s->setup),
			 "start", text_of(s->start), "config", text_of(s->config), "suite",
			 suite_text(s->options.suite), "path", text_of(s->path), "options",
			 options_json(s));
	json_object_set_new(json, "declared", declared_json(&s->declared));
	json_object_set_new(json, "machine", machine_json(&s->options));
	json_object_set_new(json, "system", json_boolean(s->system));
	if (getcwd(folder, sizeof(folder)))
		json_object_set_new(json, "folder", json_string(folder));
	return json;
}

static bool read_options(struct beam_setup *s, json_t *json)
{
	const char *timeouts, *normal_exit, *atomic = "";
	int max_steps, stuck, exits_any, after_end, io_ordered, count_blocks = 0, async = 0;
	json_int_t timeouts_ms;
	double step_time = json_number_value(json_object_get(json, "step_time"));

	if (json_unpack(json, "{s:s, s:I, s:i, s:i, s:b, s:b, s:b, s?b, s?b, s?s, s:s}", "timeouts",
			&timeouts, "timeouts_ms", &timeouts_ms, "max_steps", &max_steps, "stuck",
			&stuck, "exits_any", &exits_any, "after_end", &after_end, "io_ordered",
			&io_ordered, "async", &async, "count_blocks", &count_blocks, "atomic",
			&atomic, "normal_exit", &normal_exit) != 0 ||
	    max_steps < 1 || timeouts_ms < 0 || stuck < 0 || stuck > STUCK_TEST)
		return false;
	s->options.conduct = (struct conduct_options){
		.timeouts_ms = strcmp(timeouts, "any") == 0 ? UINT64_MAX : (uint64_t)timeouts_ms,
		.max_steps = (uint32_t)max_steps,
		.step_seconds = step_time > 0 ? step_time : OPTION_STEP_SECONDS,
		.stuck = (uint32_t)stuck,
		.exits_any = exits_any,
		.after_end = after_end,
		.io_ordered = io_ordered,
		.is_async = async,
		.count_blocks = count_blocks,
	};
	s->atomic = copy(atomic);
	s->normal_exit = copy(normal_exit);
	return true;
}

struct target *beam_setup_load(struct beam_setup *s, const json_t *json, struct err *err)
{
	const char *function, *otp, *setup, *start_text = "", *config = "", *suite = "", *path = "";
	json_t *paths, *options;

	*s = (struct beam_setup){0};
	if (json_unpack((json_t *)json, "{s:s, s:o, s:s, s:s, s?s, s?s, s?s, s?s, s:o}", "function",
			&function, "paths", &paths, "otp", &otp, "setup", &setup, "start",
			&start_text, "config", &config, "suite", &suite, "path", &path, "options",
			&options) != 0 ||
	    !function[0] || suite_named(suite) == SUITES) {
		err_set(err, "the finding is damaged: it does not name the function to run");
		return NULL;
	}
	if (!read_options(s, options)) {
		err_set(err, "the finding is damaged: an option of its search is missing or not valid");
		return NULL;
	}
	for (size_t i = 0; i < json_array_size(paths); i++) {
		const char *dir = json_string_value(json_array_get(paths, i));

		if (dir)
			add_path(s, dir);
	}
	s->options.suite = suite_named(suite);
	read_machine(&s->options, json_object_get(json, "machine"));
	s->is_prop = json_object_get(json, "prop") != NULL;
	s->system = json_is_true(json_object_get(json, "system"));
	s->function = copy(function);
	s->path = copy(path);
	s->otp_dir = copy(otp);
	s->setup = copy(setup);
	s->start = copy(start_text);
	s->config = copy(config);
	if (watched_load(&s->watch, json_object_get(json, "watch")))
		s->options.conduct.watch = &s->watch;
	if (!load_declared(s, json_object_get(json, "declared"), err))
		return NULL;
	return start(s, err);
}

void beam_setup_release(struct beam_setup *s)
{
	for (size_t i = 0; i < s->paths.len; i++)
		mem_free(s->paths.items[i]);
	vec_release(&s->paths);
	watch_release(&s->watch);
	declared_release(&s->declared);
	mem_free(s->function);
	mem_free(s->path);
	mem_free(s->otp_dir);
	mem_free(s->setup);
	mem_free(s->start);
	mem_free(s->config);
	mem_free(s->atomic);
	mem_free(s->normal_exit);
}
