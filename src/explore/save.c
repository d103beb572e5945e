#include "explore/save.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/harmless.h"
#include "base/mem.h"
#include "core/finding.h"
#include "explore/save_name.h"

static json_t *pack_decisions(const struct decision *decisions, uint32_t len)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < len; i++) {
		const struct decision *d = &decisions[i];
		char object[24];
		json_t *item;

		snprintf(object, sizeof(object), "%" PRIx64, d->object);
		item = json_pack("[i,i,s,s]", (int)d->actor, (int)d->ordinal,
				 event_kind_text(d->kind), object);
		if (d->source) {
			json_array_append_new(item, json_integer(d->source));
			json_array_append_new(item, json_integer(d->source_ordinal));
		}
		json_array_append_new(array, item);
	}
	return array;
}

static bool make_folder(const char *dir, struct err *err)
{
	if (mkdir(dir, 0777) == 0 || errno == EEXIST)
		return true;
	return err_set_errno(err, "cannot create the folder %s", dir);
}

/* Where the test was started and where the finding is saved: both may be moved together. */
static void add_place(json_t *root, const char *dir)
{
	char started_in[PATH_MAX], saved_in[PATH_MAX];

	if (getcwd(started_in, sizeof(started_in)))
		json_object_set_new(root, "started_in", json_string(started_in));
	if (realpath(dir, saved_in))
		json_object_set_new(root, "saved_in", json_string(saved_in));
}

/* The whole file as a new object; NULL if a text of it is not UTF-8. */
static json_t *pack_finding(const char *dir, const struct saved *saved)
{
	char fingerprint[24], match[24], line[24];
	json_t *root;

	snprintf(fingerprint, sizeof(fingerprint), "%016" PRIx64, saved->fingerprint);
	snprintf(match, sizeof(match), "%016" PRIx64, saved->match);
	root = json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:O, s:o, s:s, s:O}",
			 "fermata", "finding", "format", SAVE_FORMAT, "version", FERMATA_VERSION,
			 "target", saved->target, "kind", saved->kind, "fingerprint", fingerprint,
			 "match", match, "setup", (json_t *)saved->setup, "schedule",
			 pack_decisions(saved->decisions, saved->decisions_len), "knowledge",
			 saved->knowledge, "report", (json_t *)saved->words);
	add_place(root, dir);
	if (root && saved->line) {
		snprintf(line, sizeof(line), "%016" PRIx64, saved->line);
		json_object_set_new(root, "line", json_pack("[s, i]", line, (int)saved->line_ordinal));
	}
	if (root && saved->other)
		json_object_set_new(root, "other_schedule",
				    pack_decisions(saved->other, saved->other_len));
	if (root && saved->passing)
		json_object_set_new(root, "passing_schedule",
				    pack_decisions(saved->passing, saved->passing_len));
	if (root && saved->search)
		json_object_set(root, "search", (json_t *)saved->search);
	return root;
}

bool save_finding(const char *dir, const struct saved *saved, const struct save_taken *taken,
		  char path_out[4096], struct err *err)
{
	char id[64], *text;
	struct strbuf shown = {0};
	json_t *root;
	bool ok;

	snprintf(id, sizeof(id), "%s-%012" PRIx64, saved->kind, saved->fingerprint >> 16);
	snprintf(path_out, 4096, "%s/%s", dir, id);
	if (!make_folder(dir, err))
		return false;
	root = pack_finding(dir, saved);
	if (root)
		save_choose_name(dir, id, root, taken, path_out);
	text = root ? json_dumps(root, JSON_INDENT(1)) : NULL;
	if (text)
		harmless_add_json(&shown, text);
	ok = text ? file_write(path_out, strbuf_text(&shown), shown.len, err)
		  : err_set(err, "cannot write %s: the path of the program or folder is not UTF-8",
			    path_out);
	free(text); /* jansson's own allocation */
	strbuf_release(&shown);
	json_decref(root);
	return ok;
}

static bool read_decision(const json_t *item, struct decision *d)
{
	const char *kind, *object;
	int actor, ordinal, source = 0, source_ordinal = 0;

	/* The last two are there only if the finding needs a weak memory model. */
	if (json_unpack((json_t *)item, json_array_size(item) == 4 ? "[i,i,s,s!]" : "[i,i,s,s,i,i!]",
			&actor, &ordinal, &kind, &object, &source, &source_ordinal) != 0 ||
	    actor < 0 || ordinal < 0 || actor > 0xffff || source < 0 || source_ordinal < 0)
		return false;
	*d = (struct decision){.actor = (uint32_t)actor, .ordinal = (uint32_t)ordinal,
			       .kind = (uint16_t)event_kind_named(kind),
			       .source = (uint32_t)source,
			       .source_ordinal = (uint32_t)source_ordinal};
	return d->kind < EVENT_KINDS && sscanf(object, "%" SCNx64, &d->object) == 1;
}

/* The decisions as a new array; NULL if an item is not a decision. */
static struct decision *read_schedule(const json_t *schedule, uint32_t *len)
{
	struct decision *decisions;

	*len = (uint32_t)json_array_size(schedule);
	decisions = mem_alloc((*len + 1) * sizeof(*decisions));
	for (uint32_t i = 0; i < *len; i++)
		if (!read_decision(json_array_get(schedule, i), &decisions[i])) {
			mem_free(decisions);
			return NULL;
		}
	return decisions;
}

static bool read_schedules(struct saved *saved, const json_t *schedule)
{
	const json_t *other = json_object_get(saved->root, "other_schedule");
	const json_t *passing = json_object_get(saved->root, "passing_schedule");

	saved->decisions = read_schedule(schedule, &saved->decisions_len);
	if (other)
		saved->other = read_schedule(other, &saved->other_len);
	if (passing)
		saved->passing = read_schedule(passing, &saved->passing_len);
	return saved->decisions && (!other || saved->other) && (!passing || saved->passing);
}

static json_t *load_json(const char *path, json_error_t *problem, struct err *err)
{
	struct strbuf text = {0};
	json_t *root = NULL;

	if (file_read(path, &text, err)) {
		root = json_loadb(strbuf_text(&text), text.len, 0, problem);
		if (!root && text.len == 0)
			err_set(err, "%s is not a finding: it is empty", path);
		else if (!root)
			err_set(err, "%s is not a finding, or is cut off (%s)", path,
				problem->text);
	}
	strbuf_release(&text);
	return root;
}

bool save_is_meant(const char *path)
{
	struct strbuf text = {0};
	bool is_meant = save_is_name(file_base_name(path));

	if (!is_meant && file_read(path, &text, NULL))
		is_meant = strstr(strbuf_text(&text), "\"fermata\": \"finding\"") ||
			   strstr(strbuf_text(&text), "\"fermata\":\"finding\"");
	strbuf_release(&text);
	return is_meant;
}

/* Findings of kinds that have more than one place, and those of older versions, have no line. */
static void read_line(struct saved *saved)
{
	const char *text;
	int ordinal;

	if (json_unpack(saved->root, "{s:[s, i]}", "line", &text, &ordinal) == 0 && ordinal >= 0 &&
	    sscanf(text, "%" SCNx64, &saved->line) == 1)
		saved->line_ordinal = (uint32_t)ordinal;
}

bool save_load(const char *path, struct saved *saved, struct err *err)
{
	const char *what = NULL, *fingerprint = NULL, *match = NULL;
	const json_t *schedule = NULL;
	json_error_t problem;
	int format = 0;

	*saved = (struct saved){0};
	saved->root = load_json(path, &problem, err);
	if (!saved->root)
		return false;
	json_unpack(saved->root, "{s:s, s:i}", "fermata", &what, "format", &format);
	if (!what || strcmp(what, "finding") != 0)
		return err_set(err, "%s is not a finding of fermata", path);
	if (format != SAVE_FORMAT)
		return err_set(err, "%s has format %d; this version reads format %d", path, format,
			       SAVE_FORMAT);
	if (json_unpack(saved->root, "{s:s, s:s, s:s, s:o, s:o, s:s, s:o, s?s}", "target",
			&saved->target, "kind", &saved->kind, "fingerprint", &fingerprint, "setup",
			&saved->setup, "schedule", &schedule, "knowledge", &saved->knowledge,
			"report", &saved->words, "match", &match) != 0 ||
	    (finding_kind_named(saved->kind) == FINDING_KINDS &&
	     strcmp(saved->kind, SAVE_SCHEDULE) != 0) || !json_is_array(schedule) ||
	    sscanf(fingerprint, "%" SCNx64, &saved->fingerprint) != 1 ||
	    (match && sscanf(match, "%" SCNx64, &saved->match) != 1) ||
	    !read_schedules(saved, schedule))
		return err_set(err, "%s is damaged: a part of the finding is missing or wrong", path);
	saved->search = json_object_get(saved->root, "search");
	read_line(saved);
	return true;
}

void saved_release(struct saved *saved)
{
	json_decref(saved->root);
	mem_free(saved->decisions);
	mem_free(saved->other);
	mem_free(saved->passing);
	*saved = (struct saved){0};
}
