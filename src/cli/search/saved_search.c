#include "cli/search/saved_search.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "cli/project/cache.h"

/* The facts that must be the same, each with the words for a difference. The first difference is
 * reported. */
static const char *const changed[] = {
	[STORE_TOOL] = "it was saved by another build of fermata",
	[STORE_PROGRAM] = "the program has changed since",
	[STORE_OPTIONS] = "it was made with other options",
};

/* ---- the program ---- */

static bool is_beam(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && strcmp(name + len - 5, ".beam") == 0;
}

/* The modules of a folder, in any order. */
static uint64_t hash_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	uint64_t sum = 0;

	while (dir && (entry = readdir(dir))) {
		struct strbuf path = {0};

		if (!is_beam(entry->d_name))
			continue;
		strbuf_addf(&path, "%s/%s", folder, entry->d_name);
		sum += hash_combine(hash_bytes(entry->d_name, strlen(entry->d_name)),
				    cache_hash_file(strbuf_text(&path)));
		strbuf_release(&path);
	}
	if (dir)
		closedir(dir);
	return sum;
}

static uint64_t hash_program(const json_t *setup)
{
	const char *program = json_string_value(json_object_get(setup, "program"));
	const json_t *paths = json_object_get(setup, "paths"), *path;
	uint64_t hash = program ? cache_hash_file(program) : 1;
	size_t i;

	json_array_foreach(paths, i, path)
		hash = hash_combine(hash, hash_folder(json_string_value(path)));
	return hash;
}

/* ---- the options ---- */

/* The set-up of the target without the parts that may differ from day to day. */
static void add_setup(const json_t *setup, struct strbuf *out)
{
	static const char *const left_out[] = {"environment", "environment_is_whole", "limits",
					       "folder", "build_id"};
	json_t *copy = json_copy((json_t *)setup);
	char *text;

	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		json_object_del(copy, left_out[i]);
	text = json_dumps(copy, JSON_COMPACT | JSON_SORT_KEYS);
	strbuf_adds(out, text ? text : "");
	free(text);
	json_decref(copy);
}

static void add_options(const struct test_options *o, struct strbuf *out)
{
	strbuf_addf(out, "--strategy %s --seed %" PRIu64 " --depth %" PRIu64 " --burst %" PRIu64,
		    o->strategy, o->seed, o->depth, o->burst);
	strbuf_addf(out, " --grain %u --first-seed %" PRIu64 " --observers %u --memory %u", o->grain,
		    o->first_seed, o->observers, o->memory);
	strbuf_addf(out, " --ignore %x%s%s%s ", o->ignore, o->keep_going ? " --keep-going" : "",
		    o->hash_traces ? " --hash-traces" : "", o->classes ? " --classes" : "");
}

static void add_identity(const struct session *session, enum store_value which, struct strbuf *out)
{
	switch (which) {
	case STORE_TOOL:
		strbuf_addf(out, "%016" PRIx64, cache_hash_file("/proc/self/exe"));
		break;
	case STORE_PROGRAM:
		strbuf_addf(out, "%016" PRIx64, hash_program(session->setup));
		break;
	default:
		add_options(session->options, out);
		add_setup(session->setup, out);
	}
}

/* ---- the file ---- */

static bool check(const struct session *session, struct store *store, enum store_value which,
		  const char *path, struct err *err)
{
	struct strbuf now = {0}, then = {0};
	bool ok;

	add_identity(session, which, &now);
	if (store_get(store, which, &then, err))
		ok = then.len == now.len && memcmp(then.text, now.text, now.len) == 0;
	else
		ok = !err->message[0] && store_put(store, which, &now, err);
	if (!ok && !err->message[0])
		err_set(err, "%s: the saved search cannot go on: %s; remove the file to begin anew",
			path, changed[which]);
	strbuf_release(&now);
	strbuf_release(&then);
	return ok;
}

static void find_path(const struct session *session, struct strbuf *path)
{
	static const char *const subject[] = {"program", "argv", "function", "path", "suite"};
	struct strbuf text = {0};

	for (size_t i = 0; i < sizeof(subject) / sizeof(subject[0]); i++) {
		const json_t *value = json_object_get(session->setup, subject[i]);
		char *words = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;

		strbuf_addf(&text, "%s=%s;", subject[i], words ? words : "");
		free(words);
	}
	strbuf_addf(path, "%s/search-%012" PRIx64 ".sqlite", session->options->out,
		    hash_bytes(strbuf_text(&text), text.len) >> 16);
	strbuf_release(&text);
}

struct store *saved_search_open(const struct session *session, struct err *err)
{
	struct strbuf path = {0};
	struct store *store = NULL;
	bool ok = true;

	if (!session->options->resume)
		return NULL;
	find_path(session, &path);
	if (mkdir(session->options->out, 0777) != 0 && errno != EEXIST)
		err_set(err, "%s: %s", session->options->out, strerror(errno));
	else
		store = store_open(strbuf_text(&path), err);
	if (store) {
		ok = store_begin(store, err);
		for (enum store_value which = STORE_TOOL; ok && which <= STORE_OPTIONS; which++)
			ok = check(session, store, which, strbuf_text(&path), err);
		ok = ok && store_commit(store, err);
	}
	if (store && !ok) {
		store_close(store);
		store = NULL;
	}
	strbuf_release(&path);
	return store;
}
