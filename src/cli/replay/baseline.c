#include "cli/replay/baseline.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"

enum { DIGITS = 16 };

static const char heading[] =
	"# Known findings of fermata: they do not fail a run (fermata test --baseline).\n"
	"# `fermata findings known FINDING` adds a line, `fermata findings new FINDING` removes it.\n";

static bool read_text(const char *path, struct strbuf *text, struct err *err)
{
	FILE *file = fopen(path, "r");
	char block[4096];
	size_t n;

	if (!file)
		return err_set_errno(err, "cannot read %s", path);
	while ((n = fread(block, 1, sizeof(block), file)) > 0)
		strbuf_add(text, block, n);
	n = (size_t)ferror(file);
	fclose(file);
	return !n || err_set(err, "cannot read %s", path);
}

/* Is it a line about a finding? False for comments and empty lines. `ok` is false if it is neither. */
static bool read_line(const char *line, size_t len, uint64_t *fingerprint, bool *ok)
{
	size_t digits = 0;

	*ok = true;
	while (len && isspace((unsigned char)*line))
		line++, len--;
	if (!len || *line == '#')
		return false;
	while (digits < len && isxdigit((unsigned char)line[digits]))
		digits++;
	*ok = digits == DIGITS && (len == DIGITS || isspace((unsigned char)line[DIGITS]));
	*fingerprint = *ok ? strtoull(line, NULL, 16) : 0;
	return *ok;
}

bool baseline_is_absent(const char *path)
{
	return path && access(path, F_OK) != 0 && errno == ENOENT;
}

bool baseline_read(struct baseline *baseline, const char *path, struct err *err)
{
	struct strbuf text = {0};
	unsigned number = 1;
	bool ok = true;

	*baseline = (struct baseline){0};
	if (path && !baseline_is_absent(path) && !read_text(path, &text, err)) {
		strbuf_release(&text);
		return false;
	}
	for (const char *line = strbuf_text(&text); ok && *line; number++) {
		size_t len = strcspn(line, "\n");
		uint64_t fingerprint;

		if (read_line(line, len, &fingerprint, &ok))
			*vec_push(&baseline->known) = fingerprint;
		line += len;
		line += *line == '\n';
	}
	strbuf_release(&text);
	return ok || err_set(err, "%s:%u: a line begins with the 16 digits of a fingerprint, or #", path,
			     number - 1);
}

void baseline_release(struct baseline *baseline)
{
	vec_release(&baseline->known);
}

bool baseline_has(const struct baseline *baseline, uint64_t fingerprint)
{
	for (size_t i = 0; i < baseline->known.len; i++)
		if (baseline->known.items[i] == fingerprint)
			return true;
	return false;
}

/* Copies the file without the lines of this finding; a missing file is the heading. */
static bool copy_without(const char *path, uint64_t fingerprint, struct strbuf *out, bool *was_there,
			 struct err *err)
{
	struct strbuf text = {0};
	bool ok = true;

	*was_there = false;
	if (!read_text(path, &text, err)) {
		strbuf_release(&text);
		strbuf_adds(out, heading);
		return errno == ENOENT;
	}
	for (const char *line = strbuf_text(&text); *line;) {
		size_t len = strcspn(line, "\n");
		uint64_t found;

		if (read_line(line, len, &found, &ok) && found == fingerprint)
			*was_there = true;
		else
			strbuf_addf(out, "%.*s\n", (int)len, line);
		line += len;
		line += *line == '\n';
	}
	strbuf_release(&text);
	return true;
}

bool baseline_mark(const char *path, uint64_t fingerprint, const char *words, bool *was_there,
		   struct err *err)
{
	struct strbuf text = {0};
	bool ok = copy_without(path, fingerprint, &text, was_there, err);

	strbuf_addf(&text, "%016" PRIx64 "  %s\n", fingerprint, words);
	ok = ok && file_write(path, strbuf_text(&text), text.len, err);
	strbuf_release(&text);
	return ok;
}

bool baseline_unmark(const char *path, uint64_t fingerprint, bool *was_there, struct err *err)
{
	struct strbuf text = {0};
	bool ok = copy_without(path, fingerprint, &text, was_there, err);

	if (ok && *was_there)
		ok = file_write(path, strbuf_text(&text), text.len, err);
	strbuf_release(&text);
	return ok;
}
