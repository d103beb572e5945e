/* comment.c: reports that a comment in the source accepts.
 *
 *     [{_, N}] = ets:lookup(hits, K),   % fermata-ignore: only the janitor writes
 *
 * A .beam file has no comments, so the source must be found: under the name that the file's line
 * table has, or beside the .beam file as the usual build tools lay out a project. Where it is not
 * found, nothing is accepted.
 */
#include "static/silence.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/strbuf.h"

static const char word[] = "fermata-ignore";

/* The first character of the line's comment, or NULL. Erlang starts one with %, Elixir with #;
 * neither does inside of quotes, nor behind $ (a character in Erlang). */
static const char *find_comment(const char *line, char mark)
{
	char quote = '\0';

	for (const char *c = line; *c; c++) {
		if (*c == '\\' && quote && c[1])
			c++;
		else if (quote)
			quote = *c == quote ? '\0' : quote;
		else if (*c == '$' && mark == '%' && c[1])
			c++;
		else if (*c == '"' || *c == '\'')
			quote = *c;
		else if (*c == mark)
			return c;
	}
	return NULL;
}

/* The reason behind the word in this line's comment, "" if it gives none, NULL if the line does not
 * have the word. */
static const char *reason_in(const char *line, char mark)
{
	const char *comment = find_comment(line, mark);
	const char *found = comment ? strstr(comment, word) : NULL;

	if (!found)
		return NULL;
	found += strlen(word);
	return found + strspn(found, ": \t");
}

/* Is there only a comment, for the line below? */
static bool is_comment_only(const char *line, char mark)
{
	return line[strspn(line, " \t")] == mark;
}

/* The name comes from the .beam file, which may be anybody's: a device or a pipe is not read. */
static FILE *open_regular(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "r") : NULL;
}

static FILE *open_named(const char *folder, size_t folder_len, const char *between,
			const char *name)
{
	struct strbuf path = {0};
	FILE *file;

	strbuf_addf(&path, "%.*s%s%s", (int)folder_len, folder, between, name);
	file = open_regular(strbuf_text(&path));
	strbuf_release(&path);
	return file;
}

static FILE *open_source(const struct suspect_site *site)
{
	const char *slash = strrchr(site->beam, '/'), *folder = slash ? site->beam : ".";
	size_t folder_len = slash ? (size_t)(slash - site->beam) : 1;
	const char *base = file_base_name(site->file);
	FILE *file = open_named(folder, folder_len, "/", base);

	if (!file)
		file = open_named(folder, folder_len, "/../src/", base);
	if (!file)
		file = open_named(folder, folder_len, "/../", site->file);
	return file ? file : open_regular(site->file);
}

/* Copies the reason that the line or the comment above it gives; false: neither does. */
static bool find_reason(const struct suspect_site *site, struct strbuf *reason)
{
	size_t len = strlen(site->file);
	char mark = len > 3 && (strcmp(site->file + len - 3, ".ex") == 0 ||
				strcmp(site->file + len - 4, ".exs") == 0) ? '#' : '%';
	FILE *file = site->line ? open_source(site) : NULL;
	char line[4096];
	bool has_word = false;

	for (uint32_t number = 1; file && fgets(line, sizeof(line), file); number++) {
		const char *found;

		line[strcspn(line, "\r\n")] = '\0';
		found = reason_in(line, mark);
		if (found && (number == site->line ||
			      (number + 1 == site->line && is_comment_only(line, mark)))) {
			has_word = true;
			strbuf_clear(reason);
			strbuf_adds(reason, found);
		}
		if (number >= site->line)
			break;
	}
	if (file)
		fclose(file);
	return has_word;
}

void silence_by_comments(struct suspects *found, struct arena *arena)
{
	size_t kept = 0;

	found->ignored = arena_alloc(arena, found->len * sizeof(*found->ignored));
	for (size_t i = 0; i < found->len; i++) {
		struct suspect s = found->items[i];
		struct strbuf reason = {0};

		if (find_reason(&s.read, &reason) || find_reason(&s.write, &reason)) {
			s.accepted = arena_strdup(arena, strbuf_text(&reason));
			found->ignored[found->ignored_len++] = s;
		} else {
			found->items[kept++] = s;
		}
		strbuf_release(&reason);
	}
	found->len = kept;
}
