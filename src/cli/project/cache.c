#include "cli/project/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "cli/replay/surroundings.h"
#include "cli/search/child.h"
#include "cli/search/verdict.h"
#include "native/cc.h"
#include "native/elf.h"

enum { FORMAT = 1 };

/* ---- what the result depends on ---- */

static uint64_t add_text(uint64_t key, const char *text)
{
	return hash_combine(key, text ? hash_bytes(text, strlen(text)) : 1);
}

uint64_t cache_hash_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	uint64_t hash = 0;

	if (fd < 0)
		return 0;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
		size_t len = (size_t)status.st_size;
		void *content = len ? mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;

		hash = hash_combine(len + 1, content != MAP_FAILED ? hash_bytes(content, len) : 2);
		if (content != MAP_FAILED)
			munmap(content, len);
	}
	close(fd);
	return hash;
}

static uint64_t add_file(uint64_t key, const char *path)
{
	return path ? hash_combine(add_text(key, path), cache_hash_file(path)) : hash_combine(key, 3);
}

static uint64_t add_tool(uint64_t key)
{
	static const char *const files[] = {"libfermata-rt.a", "libfermata-preload.so"};

	key = hash_combine(key, cache_hash_file("/proc/self/exe"));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct cc finder = {0};
		struct err err = {0};

		key = add_file(key, cc_own_file(&finder, files[i], &err));
		arena_release(&finder.arena);
	}
	return key;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void cache_forget_noise(void)
{
	static const char *const names[] = {"_", "SHLVL", "OLDPWD"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

/* The mask of new files and the priority, which a program can ask for. */
static uint64_t add_process(uint64_t key)
{
	mode_t mask = umask(0);

	umask(mask);
	key = hash_combine(key, mask);
	return hash_combine(key, (uint64_t)(uint32_t)getpriority(PRIO_PROCESS, 0));
}

static uint64_t add_surroundings(uint64_t key)
{
	VEC(char *) variables = {0};
	json_t *limits = surroundings_limits();
	char *text = json_dumps(limits, JSON_COMPACT | JSON_SORT_KEYS);
	char folder[4096];

	key = add_process(add_text(key, text));
	free(text);
	json_decref(limits);
	key = add_text(key, getcwd(folder, sizeof(folder)));
	for (char **at = environ; *at; at++)
		*vec_push(&variables) = *at;
	if (variables.len)
		qsort(variables.items, variables.len, sizeof(char *), compare_texts);
	for (size_t i = 0; i < variables.len; i++)
		key = add_text(key, variables.items[i]);
	vec_release(&variables);
	return key;
}

/* ---- programs ---- */

/* The loader lists the libraries of a program that it would load, and does not run the program. */
static int list_libraries(void *ctx, FILE *out)
{
	char *argv[] = {ctx, NULL};

	setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
	dup2(fileno(out), STDOUT_FILENO);
	execv(argv[0], argv);
	return 1;
}

bool cache_list_libraries(const char *path, struct strbuf *out, struct err *err)
{
	struct elf_program program = {0};
	struct child_answer answer = {0};
	bool ok = elf_program_read(&program, path, err);

	if (ok && !program.is_static) {
		ok = child_ask(list_libraries, (void *)path, &answer, err) && answer.status == 0 &&
		     answer.text.len;
		if (!ok && !err->message[0])
			err_set(err, "the libraries of %s cannot be listed", path);
		strbuf_add(out, strbuf_text(&answer.text), answer.text.len);
		strbuf_release(&answer.text);
	}
	elf_program_release(&program);
	return ok;
}

/* The paths in lines like "libm.so.6 => /lib/libm.so.6 (0x7f…)". */
static uint64_t add_libraries(uint64_t key, char *text)
{
	char *rest, *word;

	for (word = strtok_r(text, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
		if (word[0] == '/')
			key = add_file(key, word);
	return key;
}

static uint64_t add_program(uint64_t key, const char *name)
{
	struct strbuf path = {0}, text = {0};
	struct err err = {0};
	bool ok = elf_find_program(name, &path, &err) &&
		  cache_list_libraries(strbuf_text(&path), &text, &err);

	if (ok) {
		key = add_file(key, strbuf_text(&path));
		if (text.len)
			key = add_libraries(key, text.text);
	}
	strbuf_release(&text);
	strbuf_release(&path);
	return ok ? key : 0;
}

/* ---- Erlang ---- */

enum { CONFIG_DEPTH_MAX = 8 };

/* The next quoted word at or after *at, which moves behind it; NULL at the end. */
static const char *next_quoted(const char **at, size_t *len)
{
	const char *from = *at;

	while (*from && *from != '"') {
		from += strcspn(from, "%$\"");
		if (*from == '%')
			from += strcspn(from, "\n");
		else if (*from == '$') /* a character: $" and $\" */
			from += from[1] == '\\' && from[2] ? 3 : from[1] ? 2 : 1;
	}
	if (!*from)
		return NULL;
	for (*len = 0, from++; from[*len] && from[*len] != '"'; ++*len)
		*len += from[*len] == '\\' && from[*len + 1];
	*at = from + *len + (from[*len] == '"');
	return from;
}

/* A sys.config and the files that it includes. Every quoted word is taken for the name of a file: the
 * hash of a file that a test does not read costs a run at worst. */
static uint64_t add_config(uint64_t key, const char *path, int depth)
{
	struct strbuf text = {0};
	const char *slash = path ? strrchr(path, '/') : NULL;

	key = add_file(key, path);
	if (path && depth < CONFIG_DEPTH_MAX && file_read(path, &text, NULL)) {
		const char *at = strbuf_text(&text), *word;
		size_t len;

		while ((word = next_quoted(&at, &len))) {
			int folder = word[0] == '/' || !slash ? 0 : (int)(slash + 1 - path);
			char name[4096], with_ending[4096 + 8];

			snprintf(name, sizeof(name), "%.*s%.*s", folder, path, (int)len, word);
			snprintf(with_ending, sizeof(with_ending), "%s.config", name);
			key = add_config(key, access(name, R_OK) == 0 ? name : with_ending, depth + 1);
		}
	}
	strbuf_release(&text);
	return key;
}

static bool is_code(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (strcmp(dot, ".beam") == 0 || strcmp(dot, ".app") == 0);
}

/* The modules in a folder, or if `is_shallow` when the ebin of each of its folders was changed. */
static uint64_t add_folder(uint64_t key, const char *folder, bool is_shallow)
{
	struct dirent **entries;
	int len = scandir(folder, &entries, NULL, alphasort);

	key = add_text(key, folder);
	for (int i = 0; i < len; i++) {
		char path[8192];
		struct stat status;

		snprintf(path, sizeof(path), "%s/%s%s", folder, entries[i]->d_name,
			 is_shallow ? "/ebin" : "");
		if (!is_shallow && is_code(entries[i]->d_name))
			key = add_file(key, path);
		else if (is_shallow && stat(path, &status) == 0)
			key = hash_combine(add_text(key, path), (uint64_t)status.st_mtim.tv_sec ^
									(uint64_t)status.st_ino);
		free(entries[i]);
	}
	if (len >= 0)
		free(entries);
	return key;
}

static uint64_t add_otp(uint64_t key, const char *otp)
{
	const char *roots[] = {otp, getenv("FERMATA_OTP"), "/usr/lib/erlang",
			       "/usr/local/lib/erlang", NULL};

	for (const char **root = roots; root < roots + 4; root++) {
		char lib[4096];

		if (!*root)
			continue;
		snprintf(lib, sizeof(lib), "%s/lib", *root);
		key = add_folder(key, lib, true);
	}
	return key;
}

/* ---- the key ---- */

/* Options that write something, or that learn from run to run. */
static bool has_effects(const struct test_options *o)
{
	return o->classes || o->hapset || o->stats || o->suggest_orders || o->allow_io;
}

uint64_t cache_key(const struct run_test *test)
{
	const struct test_options *o = &test->options;
	uint64_t key = test->hash;

	if (has_effects(o))
		return 0;
	for (char **word = test->words; *word; word++)
		key = add_text(key, *word);
	key = add_surroundings(add_tool(key));
	key = add_file(key, o->stdin_path);
	key = add_config(key, o->config, 0);
	key = add_file(key, o->conflicts);
	if (test->kind == RUN_PROGRAM)
		return add_program(key, test->words[0]);
	for (const char *const *path = test->paths; *path; path++)
		key = add_folder(key, *path, false);
	return add_otp(key, o->otp);
}

/* ---- the files ---- */

static void name_file(const struct run_test *test, char path[4096])
{
	snprintf(path, 4096, "%s/cache/%016" PRIx64, test->options.out,
		 hash_bytes(test->name, strlen(test->name)));
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* Does the verdict rest on files that are not in the key? Suppressions are comments in sources and a
 * file of their own; a test can read any file, load any library (dlopen) and start any program. */
static bool rests_on_files(const json_t *report)
{
	json_t *assumptions = json_object_get(report, "assumptions");
	const char *files[ASSUMPTIONS_MAX];
	uint32_t files_len = trace_list_assumptions(ASSUMED_FILES_READ | ASSUMED_PROGRAMS, files);

	for (size_t i = 0; i < json_array_size(assumptions); i++) {
		const char *text = json_string_value(json_array_get(assumptions, i));

		if (text && strstr(text, "(suppressed)"))
			return true;
		for (uint32_t j = 0; text && j < files_len; j++)
			if (strcmp(text, files[j]) == 0)
				return true;
	}
	return false;
}

/* Did the test make a call whose answer is not known to come from anything in the key? */
static bool has_uncontrolled_calls(const json_t *report)
{
	static const char begin[] = "not controlled:";
	json_t *warnings = json_object_get(report, "warnings");

	for (size_t i = 0; i < json_array_size(warnings); i++) {
		const char *text = json_string_value(json_array_get(warnings, i));

		if (text && strncmp(text, begin, strlen(begin)) == 0)
			return true;
	}
	return false;
}

static bool can_be_remembered(const struct run_test *test, const json_t *report)
{
	const char *verdict = text_of(report, "verdict");
	bool is_good = strcmp(verdict, "proved") == 0 || strcmp(verdict, "no-bug-found") == 0;

	if (strcmp(verdict, "skipped") == 0)
		return true;
	return is_good && !rests_on_files(report) && !has_uncontrolled_calls(report) &&
	       !json_array_size(json_object_get(report, "findings")) &&
	       (test->kind != RUN_PROGRAM || strcmp(text_of(report, "restart"), "restore") == 0);
}

static bool ended_by_time(const json_t *reports)
{
	for (size_t i = 0; i < json_array_size(reports); i++)
		if (strstr(text_of(json_array_get(reports, i), "reason"), "--max-time"))
			return true;
	return false;
}

/* May the result of a search that its time ended stand for one that would be given this much? */
static bool has_no_more_time(const struct run_test *test, const json_t *entry, uint64_t limits)
{
	char wanted[24];

	snprintf(wanted, sizeof(wanted), "%016" PRIx64, limits);
	return strcmp(text_of(entry, "limits"), wanted) == 0 ||
	       (test->options.max_time > 0 &&
		test->options.max_time <= 1.1 * json_number_value(json_object_get(entry, "time")));
}

static json_t *say_remembered(const struct run_test *test, bool is_by_time)
{
	return json_sprintf("the %s and the options have not changed%s",
			    test->kind == RUN_PROGRAM ? "program" : "modules",
			    is_by_time ? ", nor has the time limit (--no-cache searches again)" : "");
}

json_t *cache_find(const struct run_test *test, uint64_t key, uint64_t limits)
{
	char path[4096], wanted[24];
	bool is_by_time;
	json_t *entry, *reports, *found = NULL;

	name_file(test, path);
	snprintf(wanted, sizeof(wanted), "%016" PRIx64, key);
	entry = json_load_file(path, 0, NULL);
	reports = json_object_get(entry, "reports");
	is_by_time = ended_by_time(reports);
	if (json_integer_value(json_object_get(entry, "format")) == FORMAT &&
	    strcmp(text_of(entry, "key"), wanted) == 0 && json_array_size(reports) &&
	    (!is_by_time || has_no_more_time(test, entry, limits)))
		found = json_deep_copy(reports);
	for (size_t i = 0; i < json_array_size(found); i++) {
		json_t *report = json_array_get(found, i);

		json_object_set_new(report, "remembered", say_remembered(test, is_by_time));
		json_object_set_new(report, "wall_seconds", json_real(0));
		json_object_set_new(report, "cpu_seconds", json_real(0));
	}
	json_decref(entry);
	return found;
}

void cache_store(const struct run_test *test, uint64_t key, uint64_t limits, const json_t *reports)
{
	char path[4096], text[24], limits_text[24], *dump;
	struct err err = {0};
	json_t *entry;

	for (size_t i = 0; i < json_array_size(reports); i++)
		if (!can_be_remembered(test, json_array_get(reports, i)))
			return;
	snprintf(path, sizeof(path), "%s/cache", test->options.out);
	mkdir(test->options.out, 0777);
	mkdir(path, 0777);
	name_file(test, path);
	snprintf(text, sizeof(text), "%016" PRIx64, key);
	snprintf(limits_text, sizeof(limits_text), "%016" PRIx64, limits);
	entry = json_pack("{s:s, s:i, s:s, s:s, s:f, s:s, s:O}", "fermata", "remembered", "format",
			  FORMAT, "name", test->name, "key", text, "time", test->options.max_time,
			  "limits", limits_text, "reports", reports);
	dump = json_dumps(entry, JSON_INDENT(1));
	if (dump)
		file_write(path, dump, strlen(dump), &err);
	free(dump);
	json_decref(entry);
}
