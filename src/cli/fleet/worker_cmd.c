#include "cli/fleet/worker_cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/exits.h"
#include "cli/fleet/coordinate.h"
#include "cli/fleet/machine.h"
#include "cli/help.h"
#include "cli/replay/surroundings.h"
#include "cli/search/beam_setup.h"
#include "cli/search/measured.h"
#include "cli/search/native_setup.h"
#include "cli/search/stopping.h"
#include "explore/jobs_state.h"
#include "fleet/worker.h"

static const char usage[] =
	"usage: fermata worker [options] --fleet redis://[USER:PASSWORD@]HOST[:PORT]/NAME\n"
	"\n"
	"Explores parts of the search that `fermata test --fleet` with the same address makes on\n"
	"another machine. Start any number of workers, before or after the search, on as many\n"
	"machines as there are. A worker ends when the search is over.\n"
	"\n"
	"A worker runs the program that the coordinator sends, if it is sealed with the secret that\n"
	"both know. The machines must be alike: the same build of fermata, the same libraries or OTP,\n"
	"the same features of the processor. Otherwise the worker refuses and prints the reason.\n"
	"\n"
	"Options:\n"
	"\n"
	"  --fleet URL                  the Redis server, and the name of the search\n"
	"  --secret-file FILE           the secret (default: the variable FERMATA_FLEET_SECRET)\n"
	"  --stay                       wait for the next search when one is over\n"
	"  --max-time SECONDS           end after this time\n"
	"  --idle-time SECONDS          end after this time without anything to do\n"
	"  --patience SECONDS           end if the server, or a search that was served, is silent for\n"
	"                               this time (default 600; with --stay: never)\n"
	"  --max-memory MB              memory that tool and program may use in a part\n"
	"  --network                    let the program use the network (default: it has none)\n"
	"  --folder DIR                 keep files of programs here (default ~/.cache/fermata/fleet)\n"
	"\n"
	"Exit status: 0 the search is over, or the time; 2 wrong usage, or the search was refused;\n"
	"130 interrupted.\n";

/* ---- the explorer ---- */

static void measure(void *ctx, const struct trace *trace)
{
	measured_run_apart(ctx, trace);
}

static void put_measured(void *ctx, struct strbuf *out)
{
	measured_put(ctx, out);
}

/* The options of the coordinator that are for what it measures. */
static void start_measuring(struct measured *measured, struct test_options *options,
			    const json_t *record, struct target *target)
{
	const json_t *coverage = json_object_get(record, "coverage");
	struct strategy_params params = {0};
	struct err err = {0};

	*options = (struct test_options){.strategy = "dpor"};
	if (coverage)
		options->coverage = (uint64_t)json_integer_value(coverage);
	classes_start(&measured->classes,
		      json_is_true(json_object_get(record, "classes")) ? "-" : NULL);
	coverage_start(&measured->coverage, options, target, &params, &err);
}

static struct target *make_native(struct native_setup *setup, const json_t *record,
				  const json_t *json, struct err *err)
{
	const char *program = json_string_value(json_object_get(json, "program"));
	json_t *libraries = machine_libraries(program ? program : "", err);
	bool ok = libraries && machine_compare_libraries(
				       libraries, json_object_get(record, "libraries"), err);

	json_decref(libraries);
	return ok ? native_setup_load(setup, json, err) : NULL;
}

static struct target *make_beam(struct beam_setup *setup, const json_t *record, const json_t *json,
				struct err *err)
{
	struct target *target = beam_setup_load(setup, json, err);
	json_t *otp = target ? machine_otp() : NULL;
	bool ok = otp && machine_compare_otp(otp, json_object_get(record, "otp"), err);

	json_decref(otp);
	if (target && !ok) {
		target->ops->free(target);
		return NULL;
	}
	return target;
}

static void serve(struct target *target, const json_t *record, struct bytes_in text,
		  struct jobs_worker *worker)
{
	struct measured measured = {0};
	struct test_options options;
	struct jobs_state state;
	struct err err = {0};

	if (!jobs_state_load(&state, target, text, &err)) {
		fleet_explorer_begin(worker, &err);
		return;
	}
	start_measuring(&measured, &options, record, target);
	state.options.ran_apart = measure;
	state.options.pack = put_measured;
	state.options.ctx = &measured;
	fleet_explorer_begin(worker, NULL);
	jobs_worker_serve_state(worker, &state);
	jobs_state_release(&state);
	coverage_release(&measured.coverage);
	strbuf_release(&measured.classes.text);
}

/* In the explorer, whose process ends here. */
static void explore_here(void *ctx, const json_t *record, const char *folder, struct bytes_in state,
			 struct jobs_worker *worker)
{
	const char *kind = json_string_value(json_object_get(record, "target"));
	json_t *setup = coordinate_place(record, folder);
	struct native_setup native = {0};
	struct beam_setup beam = {0};
	struct target *target;
	struct err err = {0};

	(void)ctx;
	if (chdir(folder) != 0)
		err_set_errno(&err, "cannot enter %s", folder);
	surroundings_restore(setup);
	target = kind && strcmp(kind, "beam") == 0 ? make_beam(&beam, record, setup, &err)
						   : make_native(&native, record, setup, &err);
	if (target) {
		serve(target, record, state, worker);
		target->ops->free(target);
	} else {
		fleet_explorer_begin(worker, &err);
	}
	_exit(0);
}

static bool check_machine(void *ctx, const json_t *record, struct err *err)
{
	json_t *here = machine_facts();
	bool ok = machine_compare_facts(here, json_object_get(record, "machine"), err);

	(void)ctx;
	json_decref(here);
	return ok;
}

/* ---- the command ---- */

struct words {
	const char *fleet, *secret_file, *folder;
	double max_time, idle_time, patience, max_memory;
	bool stay, network;
};

static bool parse_number(const char *name, const char *text, double *number, struct err *err)
{
	char *end;

	*number = strtod(text, &end);
	return (*end == '\0' && *number > 0 && *number < 1e9) ||
	       err_set(err, "%s takes a number above 0, not '%s'", name, text);
}

/* An option with an argument; the argument is `text`. */
static bool set_value(struct words *w, const char *name, const char *text, struct err *err)
{
	if (strcmp(name, "--fleet") == 0)
		w->fleet = text;
	else if (strcmp(name, "--secret-file") == 0)
		w->secret_file = text;
	else if (strcmp(name, "--folder") == 0)
		w->folder = text;
	else if (strcmp(name, "--max-time") == 0)
		return parse_number(name, text, &w->max_time, err);
	else if (strcmp(name, "--idle-time") == 0)
		return parse_number(name, text, &w->idle_time, err);
	else if (strcmp(name, "--patience") == 0)
		return parse_number(name, text, &w->patience, err);
	else if (strcmp(name, "--max-memory") == 0)
		return parse_number(name, text, &w->max_memory, err);
	else
		return help_refuse_option(name, usage, "worker", err);
	return true;
}

static bool parse(struct words *w, int argc, char **argv, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		const char *equals = argv[i][0] == '-' ? strchr(argv[i], '=') : NULL;
		char name[64];

		snprintf(name, sizeof(name), "%.*s",
			 equals ? (int)(equals - argv[i]) : (int)strlen(argv[i]), argv[i]);
		if (strcmp(argv[i], "--stay") == 0)
			w->stay = true;
		else if (strcmp(argv[i], "--network") == 0)
			w->network = true;
		else if (argv[i][0] != '-')
			return err_set(err, "worker takes only options; unexpected word '%s'", argv[i]);
		else if (!equals && (i + 1 == argc || !strstr(usage, name)))
			return strstr(usage, name)
				       ? err_set(err, "%s needs a value", name)
				       : help_refuse_option(name, usage, "worker", err);
		else if (!set_value(w, name, equals ? equals + 1 : argv[++i], err))
			return false;
	}
	return w->fleet || err_set(err, "worker needs --fleet redis://HOST/NAME");
}

static void find_folder(const char *given, char folder[4096])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char cwd[2048] = "";

	if (given && given[0] != '/' && getcwd(cwd, sizeof(cwd)))
		snprintf(folder, 4096, "%s/%s", cwd, given);
	else if (given)
		snprintf(folder, 4096, "%s", given);
	else if (cache && cache[0] == '/')
		snprintf(folder, 4096, "%s/fermata/fleet", cache);
	else
		snprintf(folder, 4096, "%s/.cache/fermata/fleet", home && home[0] == '/' ? home : "/tmp");
}

int cli_worker(int argc, char **argv)
{
	struct fleet_worker worker = {.say = exits_warn, .stop = &stop_wanted,
				      .check = check_machine, .explore = explore_here};
	struct words words = {.patience = 600};
	struct err err = {0};
	char folder[4096];

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	if (!parse(&words, argc, argv, &err) || !fleet_url_parse(&worker.url, words.fleet, &err) ||
	    !secret_read(&worker.secret, words.secret_file, &err))
		return exits_fail(&err);
	find_folder(words.folder, folder);
	worker.folder = folder;
	worker.max_seconds = words.max_time;
	worker.idle_seconds = words.idle_time;
	worker.patience_seconds = words.patience;
	worker.memory = (uint64_t)(words.max_memory * 1024 * 1024);
	worker.has_network = words.network;
	worker.stays = words.stay;
	unsetenv("FERMATA_FLEET_SECRET"); /* the tested program need not know it */
	stop_catch_signals(0);
	if (!fleet_worker_run(&worker, &err))
		return exits_fail(&err);
	return stop_wanted == STOP_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_NO_BUG;
}
