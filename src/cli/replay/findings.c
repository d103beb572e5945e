#include "cli/replay/findings.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/plural.h"
#include "base/vec.h"
#include "cli/exits.h"
#include "cli/help.h"
#include "cli/nearest.h"
#include "cli/pager.h"
#include "cli/replay/baseline.h"
#include "core/finding.h"
#include "explore/save.h"
#include "report/report.h"

static const char usage[] =
	"usage: fermata findings [list] [options]\n"
	"       fermata findings show|known|new|remove [options] FINDING…\n"
	"\n"
	"Works on the findings that `fermata test` has saved. A FINDING is the path of its file, or\n"
	"the beginning of its name or of its fingerprint: race-26c8, 26c8.\n"
	"\n"
	"  list     print all (the default), and which are known\n"
	"  show     print the report of each\n"
	"  known    add to the baseline: `fermata test --baseline FILE` reports it and does not fail\n"
	"  new      take out of the baseline\n"
	"  remove   delete the saved file; the baseline keeps its line\n"
	"\n"
	"  --dir DIR         folder of the findings (default .fermata)\n"
	"  --baseline FILE   file of known findings (default fermata.baseline)\n"
	"\n"
	"Exit status: 0 done, 2 wrong usage, or a finding that is not there.\n";

/* One saved finding. Texts are in the arena of the command. */
struct item {
	const char *path, *name, *program;
	struct report_finding words;
	const char *damage; /* the file cannot be read: why; else NULL */
	bool is_known;
};

struct command {
	const char *folder, *baseline;
	struct arena arena;
	VEC(struct item) items;
	VEC(const char *) wanted;
	struct baseline known;
	bool wants_known; /* a line of the baseline will do */
};

/* ---- reading ---- */

/* A damaged finding is an item, too: it can be listed and removed. */
static void load_item(struct command *c, const char *path)
{
	const char *program;
	struct item *item = vec_push(&c->items);
	struct saved saved;
	struct err err = {0};

	*item = (struct item){.path = path, .name = file_base_name(path), .program = ""};
	if (!save_load(path, &saved, &err)) {
		item->damage = arena_strdup(&c->arena, err.message);
		saved_release(&saved);
		return;
	}
	report_finding_parse(saved.words, &c->arena, &item->words);
	item->words.fingerprint = saved.fingerprint;
	item->words.path = path;
	program = json_string_value(json_object_get(saved.setup, "program"));
	if (!program)
		program = json_string_value(json_object_get(saved.setup, "function"));
	if (program)
		item->program = arena_strdup(&c->arena, program);
	item->is_known = baseline_has(&c->known, saved.fingerprint);
	saved_release(&saved);
}

static int compare_items(const void *a, const void *b)
{
	return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

/* All findings of the folder, by name. A folder that is not there has none. */
static void load_folder(struct command *c)
{
	DIR *dir = opendir(c->folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *path = arena_printf(&c->arena, "%s/%s", c->folder, entry->d_name);

		if (entry->d_name[0] != '.' && save_is_meant(path))
			load_item(c, path);
	}
	if (dir)
		closedir(dir);
	if (c->items.len)
		qsort(c->items.items, c->items.len, sizeof(*c->items.items), compare_items);
}

static bool is_meant(const struct item *item, const char *word)
{
	char fingerprint[24];

	snprintf(fingerprint, sizeof(fingerprint), "%016" PRIx64, item->words.fingerprint);
	return strcmp(item->path, word) == 0 || strncmp(item->name, word, strlen(word)) == 0 ||
	       strncmp(fingerprint, word, strlen(word)) == 0;
}

/* A finding whose file was removed is known by its line of the baseline: its fingerprint, or a name
 * that ends with the beginning of the fingerprint. NULL if not exactly one line is meant. */
static struct item *find_in_baseline(struct command *c, const char *word)
{
	const char *base = file_base_name(word), *dash = strrchr(base, '-');
	const char *digits = dash ? dash + 1 : base;
	uint64_t found = 0;
	size_t count = 0;

	for (size_t i = 0; i < c->known.known.len; i++) {
		char fingerprint[24];

		snprintf(fingerprint, sizeof(fingerprint), "%016" PRIx64, c->known.known.items[i]);
		if (!digits[0] || strncmp(fingerprint, digits, strlen(digits)) != 0)
			continue;
		found = c->known.known.items[i];
		count++;
	}
	if (count != 1)
		return NULL;
	*vec_push(&c->items) = (struct item){.path = word, .name = base, .program = "",
					     .is_known = true, .words.fingerprint = found};
	return vec_last(&c->items);
}

/* The one finding that the word means; NULL with err if there is none, or more than one. */
static struct item *find_item(struct command *c, const char *word, struct err *err)
{
	struct item *found = NULL;

	for (size_t i = 0; i < c->items.len; i++) {
		if (!is_meant(&c->items.items[i], word))
			continue;
		if (strcmp(c->items.items[i].name, word) == 0)
			return &c->items.items[i];
		if (found) {
			err_set(err, "'%s' could be %s or %s: write more of it", word, found->name,
				c->items.items[i].name);
			return NULL;
		}
		found = &c->items.items[i];
	}
	if (!found && strchr(word, '/') && access(word, F_OK) == 0) {
		load_item(c, word);
		found = vec_last(&c->items);
	}
	if (!found && c->wants_known)
		found = find_in_baseline(c, word);
	if (!found)
		err_set(err, "%s has no finding '%s' (fermata findings lists them)", c->folder, word);
	return found;
}

/* ---- what is done ---- */

static bool list_items(struct command *c, struct err *err)
{
	size_t known = 0, damaged = 0;

	(void)err;
	for (size_t i = 0; i < c->items.len; i++) {
		const struct item *item = &c->items.items[i];
		struct strbuf where = {0};

		if (item->damage) {
			printf("damaged  %s: %s\n", item->name, item->damage);
			damaged++;
			continue;
		}
		report_add_where(&where, &item->words);
		printf("%-5s  %-32s ", item->is_known ? "known" : "new", item->name);
		exits_print_harmless(stdout, strbuf_text(&where));
		printf(", %u step%s: ", item->words.events, PLURAL(item->words.events));
		exits_print_harmless(stdout, item->program);
		putchar('\n');
		known += item->is_known;
		strbuf_release(&where);
	}
	printf("%zu finding%s in %s: %zu new, %zu known", c->items.len, PLURAL(c->items.len),
	       c->folder, c->items.len - known - damaged, known);
	if (damaged)
		printf(", %zu damaged", damaged);
	putchar('\n');
	return true;
}

static bool show(struct command *c, struct item *item, struct err *err)
{
	struct report report = {.findings = &item->words, .findings_len = 1};
	struct report_style style = report_style_for(STDOUT_FILENO);
	struct strbuf text = {0};

	(void)err;
	report_read_sources(&report, ".", &c->arena);
	report_finding_text(&item->words, &style, &text);
	pager_print(strbuf_text(&text), pager_is_wanted());
	strbuf_release(&text);
	return true;
}

static bool mark_known(struct command *c, struct item *item, struct err *err)
{
	struct strbuf words = {0};
	bool was_there, ok;

	strbuf_addf(&words, "%s at ", finding_kind_text(item->words.kind));
	report_add_where(&words, &item->words);
	ok = baseline_mark(c->baseline, item->words.fingerprint, strbuf_text(&words), &was_there, err);
	if (ok)
		printf("%s is known %s %s\n", item->name, was_there ? "already, in" : "now, in",
		       c->baseline);
	strbuf_release(&words);
	return ok;
}

static bool mark_new(struct command *c, struct item *item, struct err *err)
{
	bool was_there, ok;

	ok = baseline_unmark(c->baseline, item->words.fingerprint, &was_there, err);
	if (ok)
		printf("%s is new%s\n", item->name, was_there ? " again" : ", as before");
	return ok;
}

static bool remove_item(struct command *c, struct item *item, struct err *err)
{
	(void)c;
	if (unlink(item->path) != 0)
		return err_set_errno(err, "cannot remove %s", item->path);
	printf("%s is removed\n", item->path);
	return true;
}

static const struct {
	const char *word;
	bool (*act)(struct command *c, struct item *item, struct err *err); /* NULL: list */
} verbs[] = {
	{"list", NULL}, {"show", show}, {"known", mark_known}, {"new", mark_new},
	{"remove", remove_item},
};

enum { VERBS = sizeof(verbs) / sizeof(verbs[0]) };

/* ---- the command ---- */

static bool refuse_verb(const char *word, struct err *err)
{
	struct nearest nearest = {.typed = word};

	for (size_t i = 0; i < VERBS; i++)
		nearest_offer(&nearest, verbs[i].word);
	if (nearest.best[0])
		return err_set(err, "findings has no '%s'; did you mean '%s'?", word, nearest.best);
	return err_set(err, "findings takes list, show, known, new or remove, not '%s'", word);
}

static bool parse_words(struct command *c, int argc, char **argv, size_t *verb, struct err *err)
{
	int at = 1;

	for (*verb = 0; at < argc && *verb < VERBS; ++*verb)
		if (strcmp(verbs[*verb].word, argv[at]) == 0)
			break;
	if (at < argc && *verb == VERBS && argv[at][0] != '-')
		return refuse_verb(argv[at], err);
	at += at < argc && *verb < VERBS;
	*verb = *verb == VERBS ? 0 : *verb;
	for (; at < argc; at++) {
		const char **value = strcmp(argv[at], "--dir") == 0        ? &c->folder
				     : strcmp(argv[at], "--baseline") == 0 ? &c->baseline
									   : NULL;

		if (!value && argv[at][0] == '-')
			return help_refuse_option(argv[at], usage, "findings", err);
		if (value && at + 1 == argc)
			return err_set(err, "%s needs a value", argv[at]);
		if (value)
			*value = argv[++at];
		else
			*vec_push(&c->wanted) = argv[at];
	}
	if (!verbs[*verb].act && c->wanted.len)
		return err_set(err, "findings list takes no finding; unexpected '%s'",
			       c->wanted.items[0]);
	if (verbs[*verb].act && !c->wanted.len)
		return err_set(err, "findings %s needs a finding", verbs[*verb].word);
	return true;
}

/* All findings are looked up before the first is changed. */
static bool act_on_all(struct command *c, size_t verb, struct err *err)
{
	c->wants_known = verbs[verb].act == mark_new;
	for (size_t i = 0; i < c->wanted.len; i++) {
		const struct item *item = find_item(c, c->wanted.items[i], err);

		if (!item || (item->damage && verbs[verb].act != remove_item))
			return item ? err_set(err, "%s", item->damage) : false;
	}
	for (size_t i = 0; i < c->wanted.len; i++)
		if (!verbs[verb].act(c, find_item(c, c->wanted.items[i], err), err))
			return false;
	return true;
}

int cli_findings(int argc, char **argv)
{
	struct command c = {.folder = ".fermata", .baseline = BASELINE_DEFAULT};
	struct err err = {0};
	size_t verb;
	bool ok;

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	ok = parse_words(&c, argc, argv, &verb, &err) &&
	     baseline_read(&c.known, c.baseline, &err) &&
	     (load_folder(&c), true) &&
	     (verbs[verb].act ? act_on_all(&c, verb, &err) : list_items(&c, &err));
	vec_release(&c.items);
	vec_release(&c.wanted);
	baseline_release(&c.known);
	arena_release(&c.arena);
	return ok ? EXIT_NO_BUG : exits_fail(&err);
}
