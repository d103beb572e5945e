#include "cli/search/native_setup.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cores.h"
#include "base/mem.h"
#include "cli/exits.h"
#include "cli/replay/surroundings.h"
#include "cli/search/checked_setup.h"
#include "cli/search/stopping.h"
#include "core/order.h"
#include "native/cc.h"

static struct target *start(struct native_setup *s, struct err *err)
{
	struct cc finder = {0};
	const char *preload = cc_own_file(&finder, "libfermata-preload.so", err);

	if (preload)
		strbuf_adds(&s->preload, preload);
	arena_release(&finder.arena);
	if (!preload)
		return NULL;
	s->program.path = strbuf_text(&s->path);
	s->program.preload = strbuf_text(&s->preload);
	s->program.stop = &stop_wanted;
	cores_pin(); /* with the program: handing over costs no cross-core wake-up */
	return checked_setup(native_create(&s->program, err), false);
}

/* A folder can be read, but not as standard input. */
static bool is_readable_file(const char *path)
{
	struct stat status;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return false;
	}
	return access(path, R_OK) == 0;
}

struct target *native_setup_create(struct native_setup *s, const struct test_options *o,
				   char **argv, struct err *err)
{
	*s = (struct native_setup){.program = {
		.argv = argv,
		.stdin_path = o->stdin_path,
		.channel = {
			.seed = o->seed,
			.timeouts_ms = o->timeouts,
			.spurious = (uint32_t)o->spurious,
			.max_steps = (uint32_t)o->max_steps,
			.restart = o->restart,
			.silent_ms = (uint32_t)(o->step_time * 1000),
			.all_plain = o->all_plain,
			.check_leaks = !(o->ignore >> FINDING_LEAK & 1),
			.memory = o->memory,
			.weaker = o->memory == MEMORY_RF,
			.samples = o->memory != MEMORY_SC && strcmp(o->strategy, "graphs") != 0,
		},
	}};
	if (o->stdin_path && !is_readable_file(o->stdin_path)) {
		err_set_errno(err, "cannot read %s", o->stdin_path);
		return NULL;
	}
	if (!elf_find_program(argv[0], &s->path, err))
		return NULL;
	return start(s, err);
}

/* An argument may be any bytes; if they are not UTF-8, {"hex": "ff2e"}. */
static json_t *word_json(const char *word)
{
	json_t *json = json_string(word);
	struct strbuf hex = {0};

	if (json)
		return json;
	for (; *word; word++)
		strbuf_addf(&hex, "%02x", (unsigned char)*word);
	json = json_pack("{s:s}", "hex", strbuf_text(&hex));
	strbuf_release(&hex);
	return json;
}

static char *read_word(const json_t *json)
{
	const char *hex = json_string_value(json_object_get(json, "hex"));
	const char *text = json_string_value(json);
	struct strbuf bytes = {0};
	unsigned byte;

	if (!hex)
		return mem_strdup(text ? text : "");
	for (; sscanf(hex, "%2x", &byte) == 1 && hex[1]; hex += 2)
		strbuf_addc(&bytes, (char)byte);
	return strbuf_detach(&bytes);
}

json_t *native_setup_json(const struct native_setup *s, struct target *target)
{
	const struct channel_options *c = &s->program.channel;
	char path[PATH_MAX], folder[PATH_MAX];
	json_t *argv = json_array(), *json;

	for (char **arg = s->program.argv; *arg; arg++)
		json_array_append_new(argv, word_json(*arg));
	if (!realpath(s->program.path, path))
		snprintf(path, sizeof(path), "%s", s->program.path);
	if (!getcwd(folder, sizeof(folder)))
		folder[0] = '\0';
	json = json_pack("{s:s, s:o, s:s, s:s, s:s, s:{s:I, s:s, s:i, s:i, s:i, s:b, s:b}}",
			 "program", path, "argv", argv, "folder", folder, "build_id",
			 native_build_id(target), "stdin",
			 s->program.stdin_path ? s->program.stdin_path : "",
			 "options", "seed", (json_int_t)c->seed, "timeouts",
			 c->timeouts_ms == UINT64_MAX ? "any" : "ms", "timeouts_ms",
			 c->timeouts_ms == UINT64_MAX ? 0 : (int)c->timeouts_ms, "spurious",
			 (int)c->spurious, "max_steps", (int)c->max_steps, "all_plain",
			 (int)c->all_plain, "check_leaks", (int)c->check_leaks);
	json_object_set_new(json_object_get(json, "options"), "step_time",
			    json_real(c->silent_ms / 1e3));
	if (c->memory != MEMORY_SC)
		json_object_set_new(json_object_get(json, "options"), "memory",
				    json_integer((json_int_t)c->memory));
	if (c->samples)
		json_object_set_new(json_object_get(json, "options"), "samples", json_true());
	json_object_set_new(json, "limits", surroundings_limits());
	return json;
}

static char **read_argv(const json_t *json)
{
	size_t len = json_array_size(json);
	char **argv = mem_zalloc((len + 1) * sizeof(*argv));

	for (size_t i = 0; i < len; i++)
		argv[i] = read_word(json_array_get(json, i));
	return argv;
}

static bool read_options(struct channel_options *c, const json_t *json)
{
	const json_t *restart = json_object_get(json, "restart"); /* of a worker (cli/fleet) */
	json_int_t seed;
	const char *timeouts;
	int timeouts_ms, spurious, max_steps, all_plain, check_leaks, memory, silent_ms;

	/* Findings under sequential consistency do not name the model. */
	memory = (int)json_integer_value(json_object_get(json, "memory"));
	silent_ms = (int)(json_number_value(json_object_get(json, "step_time")) * 1000);
	if (json_unpack((json_t *)json, "{s:I, s:s, s:i, s:i, s:i, s:b, s:b}", "seed", &seed,
			"timeouts", &timeouts, "timeouts_ms", &timeouts_ms, "spurious", &spurious,
			"max_steps", &max_steps, "all_plain", &all_plain, "check_leaks",
			&check_leaks) != 0 ||
	    max_steps < 1 || max_steps > 10000000 || memory < MEMORY_SC || memory > MEMORY_RF)
		return false;
	*c = (struct channel_options){
		.seed = (uint64_t)seed,
		.timeouts_ms = strcmp(timeouts, "any") == 0 ? UINT64_MAX : (uint64_t)timeouts_ms,
		.spurious = (uint32_t)spurious,
		.max_steps = (uint32_t)max_steps,
		.restart = restart ? (uint32_t)json_integer_value(restart) : RESTART_FORK,
		.silent_ms = silent_ms > 0 ? (uint32_t)silent_ms : OPTION_STEP_SECONDS * 1000,
		.all_plain = (uint32_t)all_plain,
		.check_leaks = (uint32_t)check_leaks,
		.memory = (uint32_t)memory,
		.samples = json_is_true(json_object_get(json, "samples")),
	};
	return true;
}

struct target *native_setup_load(struct native_setup *s, const json_t *json, struct err *err)
{
	const char *program, *build_id, *stdin_path;
	const json_t *argv, *options;
	struct target *target;

	*s = (struct native_setup){0};
	if (json_unpack((json_t *)json, "{s:s, s:o, s:s, s:s, s:o}", "program", &program, "argv",
			&argv, "build_id", &build_id, "stdin", &stdin_path, "options",
			&options) != 0 ||
	    !json_array_size(argv)) {
		err_set(err, "the finding is damaged: it does not name the program to run");
		return NULL;
	}
	if (!read_options(&s->program.channel, options)) {
		err_set(err, "the finding is damaged: an option of its search is missing or not valid");
		return NULL;
	}
	if (stdin_path[0] && !is_readable_file(stdin_path)) {
		err_set_errno(err, "cannot read %s, the standard input of the finding (--stdin)",
			      stdin_path);
		return NULL;
	}
	s->program.argv = s->loaded_argv = read_argv(argv);
	s->program.stdin_path = stdin_path[0] ? stdin_path : NULL;
	strbuf_adds(&s->path, program);
	surroundings_read_limits(json, &s->program.limits);
	surroundings_warn_of_limits(&s->program.limits);
	target = start(s, err);
	if (target && strcmp(build_id, native_build_id(target)) != 0)
		exits_warn("%s is not the build that the finding was saved with (it was built anew, or "
			   "is another program); its schedule may not fit", program);
	return target;
}

void native_setup_release(struct native_setup *s)
{
	for (char **arg = s->loaded_argv; arg && *arg; arg++)
		mem_free(*arg);
	mem_free(s->loaded_argv);
	strbuf_release(&s->path);
	strbuf_release(&s->preload);
}
