#include "cli/beam_setup.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MEMORY_LIMIT ((size_t)4 << 30)

/* Saved as absolute, so that a replay works from anywhere. */
static void add_path(struct beam_setup *s, const char *path)
{
	char resolved[PATH_MAX];

	*vec_push(&s->paths) = mem_strdup(realpath(path, resolved) ? resolved : path);
}

static char *copy(const char *text)
{
	return text && text[0] ? mem_strdup(text) : NULL;
}

static struct target *start(struct beam_setup *s, struct err *err)
{
	*vec_push(&s->paths) = NULL;
	s->options.paths = (const char *const *)s->paths.items;
	s->options.function = s->function;
	s->options.otp_dir = s->otp_dir;
	s->options.setup = s->setup;
	s->options.conduct.normal_exit = s->normal_exit;
	s->options.memory_limit = MEMORY_LIMIT;
	return beam_target_create(&s->options, err);
}

struct target *beam_setup_create(struct beam_setup *s, const struct test_options *o,
				 const char *function, const char *const *paths, struct err *err)
{
	*s = (struct beam_setup){
		.options.conduct = {
			.timeouts_ms = o->timeouts,
			.max_steps = (uint32_t)o->max_steps,
			.stuck = o->stuck,
			.exits_any = o->exits != 0,
			.after_end = o->after_end,
			.io_ordered = o->io != 0,
		},
		.function = copy(function),
		.otp_dir = copy(o->otp),
		.setup = copy(o->setup),
		.normal_exit = copy(o->normal_exit),
	};
	for (; *paths; paths++)
		add_path(s, *paths);
	return start(s, err);
}

json_t *beam_setup_json(const struct beam_setup *s)
{
	const struct conduct_options *c = &s->options.conduct;
	json_t *paths = json_array();
	bool any = c->timeouts_ms == UINT64_MAX;

	for (size_t i = 0; i < s->paths.len && s->paths.items[i]; i++)
		json_array_append_new(paths, json_string(s->paths.items[i]));
	return json_pack("{s:s, s:o, s:s, s:s, s:{s:s, s:I, s:i, s:i, s:b, s:b, s:b, s:s}}",
			 "function", s->function, "paths", paths, "otp",
			 s->otp_dir ? s->otp_dir : "", "setup", s->setup ? s->setup : "",
			 "options", "timeouts", any ? "any" : "ms", "timeouts_ms",
			 any ? (json_int_t)0 : (json_int_t)c->timeouts_ms, "max_steps",
			 (int)c->max_steps, "stuck", (int)c->stuck, "exits_any", (int)c->exits_any,
			 "after_end", (int)c->after_end, "io_ordered", (int)c->io_ordered,
			 "normal_exit", s->normal_exit ? s->normal_exit : "");
}

static bool read_options(struct beam_setup *s, json_t *json)
{
	const char *timeouts, *normal_exit;
	int max_steps, stuck, exits_any, after_end, io_ordered;
	json_int_t timeouts_ms;

	if (json_unpack(json, "{s:s, s:I, s:i, s:i, s:b, s:b, s:b, s:s}", "timeouts", &timeouts,
			"timeouts_ms", &timeouts_ms, "max_steps", &max_steps, "stuck", &stuck,
			"exits_any", &exits_any, "after_end", &after_end, "io_ordered",
			&io_ordered, "normal_exit", &normal_exit) != 0 ||
	    max_steps < 1 || timeouts_ms < 0 || stuck < 0 || stuck > STUCK_TEST)
		return false;
	s->options.conduct = (struct conduct_options){
		.timeouts_ms = strcmp(timeouts, "any") == 0 ? UINT64_MAX : (uint64_t)timeouts_ms,
		.max_steps = (uint32_t)max_steps,
		.stuck = (uint32_t)stuck,
		.exits_any = exits_any,
		.after_end = after_end,
		.io_ordered = io_ordered,
	};
	s->normal_exit = copy(normal_exit);
	return true;
}

struct target *beam_setup_load(struct beam_setup *s, const json_t *json, struct err *err)
{
	const char *function, *otp, *setup;
	json_t *paths, *options;

	*s = (struct beam_setup){0};
	if (json_unpack((json_t *)json, "{s:s, s:o, s:s, s:s, s:o}", "function", &function, "paths",
			&paths, "otp", &otp, "setup", &setup, "options", &options) != 0 ||
	    !function[0] || !read_options(s, options)) {
		err_set(err, "the finding does not say how to run its function");
		return NULL;
	}
	for (size_t i = 0; i < json_array_size(paths); i++) {
		const char *path = json_string_value(json_array_get(paths, i));

		if (path)
			add_path(s, path);
	}
	s->function = copy(function);
	s->otp_dir = copy(otp);
	s->setup = copy(setup);
	return start(s, err);
}

void beam_setup_release(struct beam_setup *s)
{
	for (size_t i = 0; i < s->paths.len; i++)
		mem_free(s->paths.items[i]);
	vec_release(&s->paths);
	mem_free(s->function);
	mem_free(s->otp_dir);
	mem_free(s->setup);
	mem_free(s->normal_exit);
}
