/* explain.c: the story of one race, with both processes side by side.
 *
 *     process 1                           process 2
 *  1  a.erl:6: ets:lookup/2
 *     reads the key
 *  2                                      a.erl:8: ets:insert/2
 *                                         writes the key
 *  3  a.erl:8: ets:insert/2
 *     writes, as if step 1 still held
 */
#include "static/report.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum { LEFT = 5, MIN_WIDTH = 34, MIN_ID = 4 };

struct story {
	struct strbuf *out;
	size_t column; /* of process 2 */
	unsigned step;
};

/* ---- which one ---- */

static bool site_matches(const struct suspect_site *site, const char *which)
{
	const char *colon = strrchr(which, ':');
	const char *base = file_base_name(site->file);
	size_t len = colon ? (size_t)(colon - which) : 0;

	if (!colon || strtoul(colon + 1, NULL, 10) != site->line)
		return false;
	return (strlen(site->file) == len && strncmp(site->file, which, len) == 0) ||
	       (strlen(base) == len && strncmp(base, which, len) == 0);
}

static bool is_meant(const struct suspect *s, const char *which)
{
	struct strbuf id = {0};
	bool is_id;

	strbuf_addf(&id, "%016llx", (unsigned long long)s->fingerprint);
	is_id = strlen(which) >= MIN_ID && strncmp(strbuf_text(&id), which, strlen(which)) == 0;
	strbuf_release(&id);
	return is_id || site_matches(&s->read, which) || site_matches(&s->write, which);
}

/* ---- the story ---- */

static void print_cell(struct story *t, bool is_second, const char *number, const char *text)
{
	size_t start = t->out->len;

	strbuf_addf(t->out, "%3s  ", number);
	if (is_second)
		strbuf_pad(t->out, start + LEFT + t->column, ' ');
	strbuf_adds(t->out, text);
	strbuf_addc(t->out, '\n');
}

static void print_step(struct story *t, bool is_second, const struct suspect_site *site,
		       const char *deed)
{
	struct strbuf text = {0}, number = {0};

	strbuf_addf(&text, "%s:%u: %s", site->file, site->line, site->call);
	strbuf_addf(&number, "%u", ++t->step);
	print_cell(t, is_second, strbuf_text(&number), strbuf_text(&text));
	print_cell(t, is_second, "", deed);
	strbuf_release(&text);
	strbuf_release(&number);
}

static size_t width_of(const struct suspect *s)
{
	size_t read = strlen(s->read.file) + strlen(s->read.call) + 10;
	size_t write = strlen(s->write.file) + strlen(s->write.call) + 10;
	size_t most = read > write ? read : write;

	return most > MIN_WIDTH ? most : MIN_WIDTH;
}

/* The steps of process 2 between the read and the write of process 1. Returns the number of the
 * step that writes. */
static unsigned tell_second(struct story *t, const struct suspect *s)
{
	if (s->has_rival) {
		print_step(t, true, &s->rival, "writes it");
	} else if (s->is_use) {
		struct strbuf number = {0};

		strbuf_addf(&number, "%u", ++t->step);
		print_cell(t, true, strbuf_text(&number), "gives up the name, or ends");
		strbuf_release(&number);
	} else {
		print_step(t, true, &s->read, "reads the same");
		print_step(t, true, &s->write, "writes it");
	}
	return t->step;
}

static void tell_way(struct strbuf *out, const struct suspect *s, size_t first, size_t end,
		     const char *what)
{
	if (first == end)
		return;
	strbuf_addf(out, "  the way to the %s, from %s:%s:\n", what, s->module, s->function);
	for (size_t i = first; i < end; i++)
		strbuf_addf(out, "    %s:%u: %s in %s:%s\n", s->path[i].file, s->path[i].line,
			    s->path[i].call, s->path[i].module, s->path[i].function);
}

static void tell(struct strbuf *out, const struct suspect *s)
{
	struct story t = {.out = out, .column = width_of(s)};
	unsigned between;

	strbuf_addf(out, "%s race %016llx in %s:%s, confidence %s\n\n", s->kind,
		    (unsigned long long)s->fingerprint, s->module, s->function,
		    suspect_confidence_name(s->confidence));
	strbuf_addf(out, "Both processes share %s%s%s, key %s.\n\n", s->what,
		    s->table[0] ? " " : "", s->table, s->key);
	print_cell(&t, false, "", "process 1");
	out->len--; /* both names on one line */
	strbuf_pad(out, out->len + t.column - strlen("process 1"), ' ');
	strbuf_adds(out, "process 2\n");
	print_step(&t, false, &s->read, "reads it");
	between = tell_second(&t, s);
	print_step(&t, false, &s->write,
		   s->is_use ? "uses the name, as if step 1 still held"
			     : "writes, as if step 1 still held");
	strbuf_addf(out, "\nStep %u of process 2 comes between steps 1 and %u of process 1: %s.\n",
		    between, t.step, s->why);
	if (s->rival_entry[0])
		strbuf_addf(out, "Process 2 gets to step %u from %s.\n", between, s->rival_entry);
	if (s->reason[0])
		strbuf_addf(out, "In doubt: %s.\n", s->reason);
	strbuf_addf(out, "To repair it: %s.\n\n", s->fix);
	tell_way(out, s, 0, s->read_path_len, "read");
	tell_way(out, s, s->read_path_len, s->path_len, s->is_use ? "use" : "write");
	if (s->path_len)
		strbuf_addc(out, '\n');
}

size_t report_races_explain(struct strbuf *out, const struct suspects *found, const char *which)
{
	size_t told = 0;

	for (size_t i = 0; i < found->len; i++)
		if (is_meant(&found->items[i], which)) {
			tell(out, &found->items[i]);
			told++;
		}
	return told;
}
