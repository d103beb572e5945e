#include <string.h>

#include "base/plural.h"
#include "static/report.h"

static void print_site(struct strbuf *out, const char *label, const struct suspect_site *site)
{
	strbuf_addf(out, "  %-7s %s:%u: %s in %s:%s\n", label, site->file, site->line, site->call,
		    site->module, site->function);
}

static void print_shared(struct strbuf *out, const struct suspect *s)
{
	strbuf_addf(out, "  shared  %s", s->what);
	if (s->table[0])
		strbuf_addf(out, ": %s", s->table);
	strbuf_addf(out, "%s key %s\n", s->table[0] ? "," : ":", s->key);
}

static void print_trial(struct strbuf *out, const struct suspect_trial *trial)
{
	strbuf_addf(out, "  tried   %s", suspect_outcome_text(trial->outcome));
	if (trial->detail[0])
		strbuf_addf(out, " (%s)", trial->detail);
	strbuf_addc(out, '\n');
	if (trial->test)
		strbuf_addf(out, "  test    %s\n", trial->test);
	if (trial->outcome != SUSPECT_CONFIRMED)
		return;
	strbuf_addf(out, "  fails   %s\n", trial->fails[0] ? trial->fails : "not in that schedule");
	strbuf_adds(out, "  replay  fermata replay ");
	strbuf_add_shell(out, trial->path);
	strbuf_addc(out, '\n');
}

static void print_suspect(struct strbuf *out, const struct suspect *s)
{
	strbuf_addf(out, "%s:%u: %s race, confidence %s\n", s->read.file, s->read.line, s->kind,
		    suspect_confidence_name(s->confidence));
	print_site(out, "read", &s->read);
	print_site(out, "write", &s->write);
	if (s->path_len)
		strbuf_addf(out, "  from    %s:%s\n", s->module, s->function);
	for (size_t i = 0; i < s->path_len; i++)
		print_site(out, "through", &s->path[i]);
	if (s->has_rival)
		print_site(out, "rival", &s->rival);
	if (s->rival_entry[0])
		strbuf_addf(out, "          which another process reaches from %s\n", s->rival_entry);
	print_shared(out, s);
	strbuf_addf(out, "  why     %s\n", s->why);
	if (s->reason[0])
		strbuf_addf(out, "  doubt   %s\n", s->reason);
	strbuf_addf(out, "  repair  %s\n", s->fix);
	strbuf_addf(out, "  id      %016llx\n", (unsigned long long)s->fingerprint);
	if (s->trial.test || s->trial.outcome != SUSPECT_UNTRIED)
		print_trial(out, &s->trial);
	strbuf_addc(out, '\n');
}

static size_t count_confirmed(const struct suspects *found)
{
	size_t count = 0;

	for (size_t i = 0; i < found->len; i++)
		count += found->items[i].trial.outcome == SUSPECT_CONFIRMED;
	return count;
}

/* One function that does a server's work in its caller's process makes a race of everything that
 * the server does: it is named once, with the number of races, where there are several. */
static void print_causes(struct strbuf *out, const struct suspects *found)
{
	for (size_t i = 0; i < found->len; i++) {
		const char *entry = found->items[i].rival_entry;
		size_t count = 0;
		bool is_first = entry[0];

		for (size_t k = 0; k < i && is_first; k++)
			is_first = strcmp(found->items[k].rival_entry, entry) != 0;
		for (size_t k = i; k < found->len && is_first; k++)
			count += strcmp(found->items[k].rival_entry, entry) == 0;
		if (count > 1)
			strbuf_addf(out, "  %zu of them by writes that another process reaches from %s\n",
				    count, entry);
	}
}

void report_races_text(struct strbuf *out, const struct suspects *found)
{
	for (size_t i = 0; i < found->len; i++)
		print_suspect(out, &found->items[i]);
	strbuf_addf(out, "fermata: %zu race%s in %zu module%s", found->len,
		    PLURAL(found->len), found->modules, PLURAL(found->modules));
	if (found->were_tried)
		strbuf_addf(out, ", %zu confirmed in %zu run%s", count_confirmed(found),
			    found->executions, PLURAL(found->executions));
	if (found->ignored_len)
		strbuf_addf(out, ", %zu ignored by comments", found->ignored_len);
	if (found->suppressed)
		strbuf_addf(out, ", %zu suppressed", found->suppressed);
	if (found->errors_len)
		strbuf_addf(out, "; %zu file%s could not be read", found->errors_len,
			    PLURAL(found->errors_len));
	strbuf_addc(out, '\n');
	print_causes(out, found);
}
