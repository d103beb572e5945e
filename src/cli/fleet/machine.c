#include "cli/fleet/machine.h"

#include <cpuid.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "cli/project/cache.h"
#include "native/cc.h"
#include "vm/code/code.h"

/* ---- the tool and the processor ---- */

/* Machines are compared to find mistakes, not attacks: a fast hash is enough. */
static json_t *file_hash(const char *path)
{
	return json_sprintf("%016" PRIx64, path ? cache_hash_file(path) : 0);
}

static const struct {
	const char *name;
	unsigned leaf;
	int reg; /* of eax, ebx, ecx, edx */
	int bit;
} features[] = {
	{"sse3", 1, 2, 0},      {"ssse3", 1, 2, 9},     {"fma", 1, 2, 12},
	{"sse4.1", 1, 2, 19},   {"sse4.2", 1, 2, 20},   {"movbe", 1, 2, 22},
	{"popcnt", 1, 2, 23},   {"xsave", 1, 2, 26},    {"avx", 1, 2, 28},
	{"bmi1", 7, 1, 3},      {"avx2", 7, 1, 5},      {"bmi2", 7, 1, 8},
	{"erms", 7, 1, 9},      {"rtm", 7, 1, 11},      {"avx512f", 7, 1, 16},
	{"avx512bw", 7, 1, 30}, {"avx512vl", 7, 1, 31}, {"fsrm", 7, 3, 4},
};

/* As a text of words. */
static json_t *processor(void)
{
	struct strbuf text = {0};
	json_t *json;

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		unsigned regs[4] = {0};

		__get_cpuid_count(features[i].leaf, 0, &regs[0], &regs[1], &regs[2], &regs[3]);
		if (regs[features[i].reg] >> features[i].bit & 1)
			strbuf_addf(&text, "%s ", features[i].name);
	}
	json = json_string(strbuf_text(&text));
	strbuf_release(&text);
	return json;
}

json_t *machine_facts(void)
{
	struct cc finder = {0};
	struct err err = {0};
	json_t *facts = json_pack("{s:s, s:o, s:o, s:o}", "version", FERMATA_VERSION, "tool",
				  file_hash("/proc/self/exe"), "preload",
				  file_hash(cc_own_file(&finder, "libfermata-preload.so", &err)),
				  "processor", processor());

	arena_release(&finder.arena);
	return facts;
}

static const char *text_of(const json_t *json, const char *key)
{
	const char *text = json_string_value(json_object_get(json, key));

	return text ? text : "";
}

static bool is_same(const json_t *a, const json_t *b, const char *key)
{
	return strcmp(text_of(a, key), text_of(b, key)) == 0;
}

/* Is the word in the list, with a blank behind it? */
static bool has_word(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (; *list; list += strcspn(list, " "), list += *list == ' ')
		if (strncmp(list, name, len) == 0 && list[len] == ' ')
			return true;
	return false;
}

bool machine_compare_facts(const json_t *here, const json_t *there, struct err *err)
{
	if (!is_same(here, there, "tool") || !is_same(here, there, "preload"))
		return err_set(err, "this is another build of fermata (%s); the coordinator has %s",
			       text_of(here, "version"), text_of(there, "version"));
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		bool has = has_word(text_of(here, "processor"), features[i].name);

		if (has != has_word(text_of(there, "processor"), features[i].name))
			return err_set(err, "the processor %s %s, that of the coordinator %s",
				       has ? "has" : "does not have", features[i].name,
				       has ? "does not" : "does");
	}
	return true;
}

/* ---- libraries ---- */

json_t *machine_libraries(const char *program, struct err *err)
{
	struct strbuf text = {0};
	json_t *libraries = json_object();
	char *rest, *path;

	if (!cache_list_libraries(program, &text, err)) {
		json_decref(libraries);
		return NULL;
	}
	for (path = text.len ? strtok_r(text.text, " \t\n", &rest) : NULL; path;
	     path = strtok_r(NULL, " \t\n", &rest))
		if (path[0] == '/')
			json_object_set_new(libraries, path, file_hash(path));
	strbuf_release(&text);
	return libraries;
}

bool machine_compare_libraries(const json_t *here, const json_t *there, struct err *err)
{
	const char *path;
	json_t *hash;

	json_object_foreach((json_t *)there, path, hash)
		if (!json_object_get(here, path))
			return err_set(err, "the program does not use %s here, and does on the "
					    "coordinator's machine", path);
		else if (!is_same(here, there, path))
			return err_set(err, "%s is another file than on the coordinator's machine", path);
	json_object_foreach((json_t *)here, path, hash)
		if (!json_object_get(there, path))
			return err_set(err, "the program uses %s here, and does not on the "
					    "coordinator's machine", path);
	return true;
}

/* ---- OTP ---- */

/* A hash over the modules of an application; its folder has the version in its name. */
static void add_application(const char *lib, const char *name, struct strbuf *sums)
{
	struct dirent **entries;
	char folder[4096];
	int len;

	snprintf(folder, sizeof(folder), "%s/%s/ebin", lib, name);
	len = scandir(folder, &entries, NULL, alphasort);
	for (int i = 0; i < len; i++) {
		char path[8192];
		json_t *hash;

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		hash = file_hash(path);
		strbuf_addf(sums, "%s %s\n", entries[i]->d_name, json_string_value(hash));
		json_decref(hash);
		free(entries[i]);
	}
	if (len >= 0)
		free(entries);
}

json_t *machine_otp(void)
{
	const char *root = code_otp_dir();
	struct strbuf names = {0}, sums = {0};
	struct dirent **entries;
	char lib[4096];
	json_t *json;
	int len;

	snprintf(lib, sizeof(lib), "%s/lib", root ? root : "");
	len = scandir(lib, &entries, NULL, alphasort);
	for (int i = 0; i < len; i++) {
		const char *name = entries[i]->d_name;

		if (strncmp(name, "erts-", 5) == 0 || strncmp(name, "kernel-", 7) == 0 ||
		    strncmp(name, "stdlib-", 7) == 0) {
			strbuf_addf(&names, "%s%s", names.len ? " " : "", name);
			add_application(lib, name, &sums);
		}
		free(entries[i]);
	}
	if (len >= 0)
		free(entries);
	json = json_pack("{s:s, s:o}", "version", strbuf_text(&names), "modules",
			 json_sprintf("%016" PRIx64, hash_bytes(strbuf_text(&sums), sums.len)));
	strbuf_release(&names);
	strbuf_release(&sums);
	return json;
}

bool machine_compare_otp(const json_t *here, const json_t *there, struct err *err)
{
	if (!is_same(here, there, "version"))
		return err_set(err, "OTP has %s, that of the coordinator %s", text_of(here, "version"),
			       text_of(there, "version"));
	if (!is_same(here, there, "modules"))
		return err_set(err, "OTP has other modules of kernel or stdlib than that of the "
				    "coordinator");
	return true;
}
