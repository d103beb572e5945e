/* hapset_file.c: a set as text, one statement per paragraph:
 *
 *     fermata hapset 1
 *     queue.c:41 lock < main.c:7
 *         queue.c:58 lock < main.c:9
 *         queue.c:63 wait < main.c:9
 *
 * The indented lines are the predecessors of the statement above them. Statements and
 * predecessors are sorted, so that the file changes only where the set did. Lines that
 * begin with # and empty lines are skipped. Reading merges: pairs are only ever added.
 */
#include "strategy/hapset.h"

#include <stdlib.h>
#include <string.h>

static const char first_line[] = "fermata hapset 1";
static const char any_version[] = "fermata hapset ";

enum { TEXT_MAX = 4096 };

struct line {
	const char *statement, *before;
};

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = strcmp(x->statement, y->statement);

	return order ? order : strcmp(x->before, y->before);
}

void hapset_write(const struct hapset *set, struct strbuf *out)
{
	struct line *lines = mem_alloc(set->pairs.len * sizeof(*lines) + 1);
	const char *last = NULL;

	for (size_t i = 0; i < set->pairs.len; i++) {
		uint64_t pair = set->pairs.entries[i].key;

		lines[i] = (struct line){statement_text(&set->statements, (uint32_t)(pair >> 32)),
					 statement_text(&set->statements, (uint32_t)pair)};
	}
	if (set->pairs.len)
		qsort(lines, set->pairs.len, sizeof(*lines), compare_lines);
	strbuf_addf(out, "%s\n", first_line);
	for (size_t i = 0; i < set->pairs.len; i++) {
		if (lines[i].statement != last)
			strbuf_addf(out, "%s\n", lines[i].statement);
		last = lines[i].statement;
		strbuf_addf(out, "\t%s\n", lines[i].before);
	}
	mem_free(lines);
}

static bool check_first_line(const char *text, struct err *err)
{
	size_t len = strcspn(text, "\n");

	if (len == strlen(first_line) && strncmp(text, first_line, len) == 0)
		return true;
	if (strncmp(text, any_version, strlen(any_version)) == 0)
		return err_set(err, "'%.*s' is of another version; this one writes '%s'",
			       (int)(len < 60 ? len : 60), text, first_line);
	return err_set(err, "it does not begin with '%s'", first_line);
}

/* One line without its end, its blanks in front counted. False: too long. */
static bool take_line(const char **text, char *line, bool *is_indented)
{
	size_t len = strcspn(*text, "\n");
	size_t blanks = strspn(*text, " \t");
	size_t taken = blanks < len ? len - blanks : 0;

	if (taken >= TEXT_MAX)
		return false;
	*is_indented = blanks > 0;
	memcpy(line, *text + blanks, taken);
	line[taken] = '\0';
	*text += len;
	*text += **text == '\n';
	return true;
}

static void read_pair(struct hapset *set, uint32_t statement, const char *before)
{
	bool is_new;

	map_put(&set->pairs, hapset_pair(statement, statement_named(&set->statements, before)),
		&is_new);
	set->read_len += is_new;
}

bool hapset_read(struct hapset *set, const char *text, struct err *err)
{
	char line[TEXT_MAX];
	uint32_t statement = 0, number = 1;
	bool has_statement = false, is_indented;

	if (!check_first_line(text, err))
		return false;
	text += strcspn(text, "\n");
	text += *text == '\n';
	while (*text) {
		number++;
		if (!take_line(&text, line, &is_indented))
			return err_set(err, "line %u is too long", number);
		if (!line[0] || line[0] == '#')
			continue;
		if (is_indented && !has_statement)
			return err_set(err, "line %u belongs to no statement", number);
		if (is_indented) {
			read_pair(set, statement, line);
		} else {
			statement = statement_named(&set->statements, line);
			has_statement = true;
		}
	}
	return true;
}
