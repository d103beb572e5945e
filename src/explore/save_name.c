#include "explore/save_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "core/finding.h"

enum { DIGITS = 12, SUFFIX_MAX = 10000 };

bool save_is_name(const char *name)
{
	for (uint32_t kind = 0; kind < FINDING_KINDS; kind++) {
		size_t len = strlen(finding_kind_text(kind)), digits = 0;

		if (strncmp(name, finding_kind_text(kind), len) != 0 || name[len] != '-')
			continue;
		while (isxdigit((unsigned char)name[len + 1 + digits]))
			digits++;
		if (digits == DIGITS &&
		    (name[len + 1 + digits] == '\0' || name[len + 1 + digits] == '-'))
			return true;
	}
	return false;
}

static const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* The same file, or is the old one gone? A project that was moved has one program, not two. */
static bool is_same_program(const char *old, const char *new)
{
	struct stat old_status, new_status;

	if (strcmp(old, new) == 0 || stat(old, &old_status) != 0)
		return true;
	return stat(new, &new_status) == 0 && old_status.st_dev == new_status.st_dev &&
	       old_status.st_ino == new_status.st_ino;
}

/* Do all sites have the same lines? */
static bool has_same_lines(const json_t *old, const json_t *new)
{
	const json_t *before = json_object_get(json_object_get(old, "report"), "sites");
	const json_t *now = json_object_get(json_object_get(new, "report"), "sites");

	if (json_array_size(before) != json_array_size(now))
		return false;
	for (size_t i = 0; i < json_array_size(now); i++)
		if (!json_equal(json_object_get(json_array_get(before, i), "line"),
				json_object_get(json_array_get(now, i), "line")))
			return false;
	return true;
}

/* Without a line, the arguments distinguish one failing test of a program from another. */
static bool has_place(const json_t *finding)
{
	const json_t *sites = json_object_get(json_object_get(finding, "report"), "sites");

	return json_integer_value(json_object_get(json_array_get(sites, 0), "line")) > 0;
}

/* Members that the old file lacks are not compared: a damaged file is replaced. Lines say something
 * only within one build. */
static bool is_same_finding(const json_t *old, const json_t *new)
{
	static const char *const keys[] = {"kind", "target", "fingerprint", "match"};
	const json_t *setup = json_object_get(old, "setup");
	const json_t *new_setup = json_object_get(new, "setup");
	const char *build_id = text_at(setup, "build_id");

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (text_at(old, keys[i])[0] &&
		    strcmp(text_at(old, keys[i]), text_at(new, keys[i])) != 0)
			return false;
	if (!is_same_program(text_at(setup, "program"), text_at(new_setup, "program")))
		return false;
	if (!has_place(new) && json_object_get(setup, "argv") &&
	    !json_equal(json_object_get(setup, "argv"), json_object_get(new_setup, "argv")))
		return false;
	return !build_id[0] || strcmp(build_id, text_at(new_setup, "build_id")) != 0 ||
	       !finding_has_one_place(finding_kind_named(text_at(new, "kind"))) ||
	       has_same_lines(old, new);
}

static bool is_taken(const struct save_taken *taken, const char *path)
{
	for (size_t i = 0; taken && i < taken->paths_len; i++)
		if (taken->paths[i] && strcmp(taken->paths[i], path) == 0)
			return true;
	return false;
}

/* May the finding be written there? A file that is not a finding, or is cut off, is replaced. */
static bool is_free(const char *path, const json_t *finding)
{
	struct strbuf text = {0};
	json_t *old = NULL;
	bool is_other;

	if (access(path, F_OK) != 0)
		return true;
	if (file_read(path, &text, NULL))
		old = json_loadb(strbuf_text(&text), text.len, 0, NULL);
	is_other = strcmp(text_at(old, "fermata"), "finding") == 0 && !is_same_finding(old, finding);
	json_decref(old);
	strbuf_release(&text);
	return !is_other;
}

void save_choose_name(const char *dir, const char *id, const json_t *finding,
		      const struct save_taken *taken, char path_out[4096])
{
	snprintf(path_out, 4096, "%s/%s", dir, id);
	for (unsigned n = 2; n < SUFFIX_MAX && (is_taken(taken, path_out) ||
						!is_free(path_out, finding)); n++)
		snprintf(path_out, 4096, "%s/%s-%u", dir, id, n);
}
