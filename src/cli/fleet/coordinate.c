#include "cli/fleet/coordinate.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/exits.h"
#include "cli/fleet/machine.h"
#include "cli/replay/surroundings.h"
#include "fleet/courier.h"

enum { PARTS_DEFAULT = 128 }; /* at most, that are with workers at a time */

/* ---- files ---- */

struct packer {
	struct fleet_search *search;
	json_t *files; /* of the record */
};

static bool add_file(struct packer *p, const char *path, const char *place, struct err *err)
{
	struct fleet_file file = {0};

	if (!file_read(path, &file.content, err))
		return false;
	sha256_hex(strbuf_text(&file.content), file.content.len, file.hash);
	json_array_append_new(p->files, json_pack("{s:s, s:s}", "place", place, "sha256", file.hash));
	*vec_push(&p->search->files) = file;
	return true;
}

/* The file that setup[key] names, if it names one; the member becomes its place. */
static bool pack_file(struct packer *p, json_t *setup, const char *key, struct err *err)
{
	const char *path = json_string_value(json_object_get(setup, key));
	struct strbuf place = {0};
	bool ok;

	if (!path || !path[0])
		return true;
	strbuf_addf(&place, "%s/%s", key, file_base_name(path));
	ok = add_file(p, path, strbuf_text(&place), err);
	json_object_set_new(setup, key, json_string(strbuf_text(&place)));
	strbuf_release(&place);
	return ok;
}

static bool is_code(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (strcmp(dot, ".beam") == 0 || strcmp(dot, ".app") == 0);
}

static bool pack_folder(struct packer *p, const char *folder, const char *place, struct err *err)
{
	struct dirent **entries;
	int len = scandir(folder, &entries, NULL, alphasort);
	bool ok = true;

	for (int i = 0; i < len; i++) {
		struct strbuf from = {0}, to = {0};

		strbuf_addf(&from, "%s/%s", folder, entries[i]->d_name);
		strbuf_addf(&to, "%s/%s", place, entries[i]->d_name);
		if (ok && is_code(entries[i]->d_name))
			ok = add_file(p, strbuf_text(&from), strbuf_text(&to), err);
		strbuf_release(&from);
		strbuf_release(&to);
		free(entries[i]);
	}
	if (len >= 0)
		free(entries);
	return ok;
}

/* An application's own folder is the one above its ebin: both names are kept. */
static bool pack_paths(struct packer *p, json_t *paths, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; i < json_array_size(paths) && ok; i++) {
		const char *folder = json_string_value(json_array_get(paths, i));
		const char *name = folder;
		struct strbuf place = {0};

		for (const char *c = folder; c && *c; c++) /* the last two names */
			if (*c == '/' && strchr(c + 1, '/') == strrchr(folder, '/'))
				name = c + 1;
		while (name && *name == '/')
			name++;
		strbuf_addf(&place, "pa%zu/%s", i, name ? name : "");
		ok = folder && pack_folder(p, folder, strbuf_text(&place), err);
		json_array_set_new(paths, i, json_string(strbuf_text(&place)));
		strbuf_release(&place);
	}
	return ok;
}

/* ---- the record ---- */

static bool add_surroundings(const struct session *session, json_t *record, json_t *setup,
			     struct err *err)
{
	const char *program = json_string_value(json_object_get(setup, "program"));
	json_t *libraries;

	surroundings_record(setup, false);
	json_object_set_new(record, "machine", machine_facts());
	if (!program) {
		json_object_set_new(record, "otp", machine_otp());
		return true;
	}
	json_object_set_new(json_object_get(setup, "options"), "restart",
			    json_integer((json_int_t)session->options->restart));
	libraries = machine_libraries(program, err);
	json_object_set_new(record, "libraries", libraries);
	return libraries != NULL;
}

static bool make_record(const struct session *session, struct fleet_search *search, struct err *err)
{
	json_t *setup = json_deep_copy(session->setup), *files = json_array();
	json_t *record = json_pack("{s:s, s:s, s:b, s:o, s:o}", "target", session->target_name,
				   "program", session->program, "classes",
				   session->options->classes != NULL, "setup", setup, "files", files);
	struct packer packer = {search, files};
	uint64_t coverage = session->options->coverage;
	bool ok;
	char *text;

	if (coverage != COVERAGE_SOME)
		json_object_set_new(record, "coverage", json_integer((json_int_t)coverage));
	ok = add_surroundings(session, record, setup, err) &&
	     pack_file(&packer, setup, "program", err) && pack_file(&packer, setup, "stdin", err) &&
	     pack_file(&packer, setup, "config", err) &&
	     pack_paths(&packer, json_object_get(setup, "paths"), err);
	text = ok ? json_dumps(record, JSON_COMPACT) : NULL;

	strbuf_adds(&search->job.record, text ? text : "");
	free(text);
	json_decref(record);
	return ok;
}

json_t *coordinate_place(const json_t *record, const char *folder)
{
	static const char *const keys[] = {"program", "stdin", "config"};
	json_t *setup = json_deep_copy(json_object_get(record, "setup"));
	json_t *paths = json_object_get(setup, "paths");

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *place = json_string_value(json_object_get(setup, keys[i]));

		if (place && place[0])
			json_object_set_new(setup, keys[i], json_sprintf("%s/%s", folder, place));
	}
	for (size_t i = 0; i < json_array_size(paths); i++)
		json_array_set_new(paths, i,
				   json_sprintf("%s/%s", folder,
						json_string_value(json_array_get(paths, i))));
	return setup;
}

/* ---- the search ---- */

/* For tests of small programs: FERMATA_FLEET_WAIT=3 waits for three workers before it goes on. */
static uint32_t wanted_workers(void)
{
	const char *text = getenv("FERMATA_FLEET_WAIT");

	return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

uint64_t coordinate_jobs_after(void)
{
	const char *text = getenv("FERMATA_JOBS_AFTER");

	return text ? strtoull(text, NULL, 10) : UINT64_MAX;
}

bool coordinate(const struct session *session, struct target *target,
		struct explore_options *options, struct explore_result *result, struct err *err)
{
	const struct test_options *o = session->options;
	struct fleet_search search = {.say = exits_warn, .wanted = wanted_workers()};
	bool ok;

	if (!o->fleet)
		return explore(target, options, result, err);
	ok = fleet_url_parse(&search.url, o->fleet, err) &&
	     secret_read(&search.secret, o->secret_file, err) &&
	     make_record(session, &search, err) && fleet_search_begin(&search, err);
	if (ok) {
		options->elsewhere = &search.elsewhere;
		options->jobs = o->allow_io ? 1 : 1 + (o->jobs > 1 ? (uint32_t)o->jobs : PARTS_DEFAULT);
		ok = explore(target, options, result, err);
	}
	fleet_search_end(&search);
	return ok;
}
