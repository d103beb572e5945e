#include "base/plural.h"
#include "report/table.h"

#include <string.h>

enum {
	MARGIN = 8,       /* step number and mark */
	NARROWEST = 26,   /* a column below this is a list instead */
	SHOWN_MAX = 100,  /* steps; of a longer run the last ones */
};

static const char *const colours[] = {"36", "33", "32", "35", "34"};

static const char *colour_of(uint32_t column)
{
	return colours[column % (sizeof(colours) / sizeof(colours[0]))];
}

void table_add_coloured(struct strbuf *out, const struct report_style *style, const char *code,
			const char *text)
{
	if (style->colour)
		strbuf_addf(out, "\033[%sm%s\033[0m", code, text);
	else
		strbuf_adds(out, text);
}

static bool starts_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static uint32_t count_characters(const char *text)
{
	uint32_t count = 0;

	for (; *text; text++)
		count += starts_character(*text);
	return count;
}

uint32_t table_add_cut(struct strbuf *out, const char *text, uint32_t columns)
{
	uint32_t total = count_characters(text), used = 0;
	uint32_t keep = total > columns ? columns - 1 : total;

	for (; *text; text++) {
		if (starts_character(*text) && used++ == keep)
			break;
		strbuf_addc(out, (unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text);
	}
	if (total <= columns)
		return total;
	strbuf_adds(out, "…");
	return columns;
}

static void add_blanks(struct strbuf *out, uint32_t n)
{
	while (n--)
		strbuf_addc(out, ' ');
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "bank.c:14  balance = old + 1;", without the source when it is not known. */
static void add_place(struct strbuf *out, const struct report_event *event)
{
	strbuf_addf(out, "%s:%u", base_name(event->file), event->line);
	if (event->source && *event->source)
		strbuf_addf(out, "  %s", event->source);
}

static void add_step(struct strbuf *out, const struct report_event *event)
{
	if (event->step == REPORT_NO_STEP)
		strbuf_adds(out, "     -");
	else if (event->step == REPORT_BETWEEN)
		strbuf_adds(out, "      ");
	else
		strbuf_addf(out, "  %4u", event->step + 1);
	strbuf_adds(out, event->is_culprit ? "!" : event->is_preemption ? ">" : " ");
	strbuf_addc(out, ' ');
}

static void add_line(struct strbuf *out, const struct report_style *style, const char *code,
		     uint32_t columns, const char *text)
{
	struct strbuf cut = {0};

	table_add_cut(&cut, text, columns);
	table_add_coloured(out, style, code, strbuf_text(&cut));
	strbuf_addc(out, '\n');
	strbuf_release(&cut);
}

static bool has_place(const struct report_event *event, const struct report_event *before)
{
	if (!event->file)
		return false;
	return !before || before->column != event->column || before->line != event->line ||
	       !before->file || strcmp(before->file, event->file) != 0;
}

/* ---- columns ---- */

static void add_column_event(struct strbuf *out, const struct report_event *event, bool place,
			     uint32_t width, const struct report_style *style)
{
	uint32_t indent = event->column * width;
	/* The columns to the right are free in this row: the text may run on into them. */
	uint32_t room = style->width - MARGIN - indent;
	struct strbuf text = {0};

	add_step(out, event);
	add_blanks(out, indent);
	add_line(out, style, colour_of(event->column), room, event->text);
	if (place) {
		add_place(&text, event);
		add_blanks(out, MARGIN + indent);
		add_line(out, style, "2", room, strbuf_text(&text));
	}
	strbuf_release(&text);
}

static void add_column_heads(struct strbuf *out, const struct report_finding *finding,
			     uint32_t width, const struct report_style *style)
{
	struct strbuf name = {0};

	add_blanks(out, MARGIN);
	for (uint32_t i = 0; i < finding->columns_len; i++) {
		uint32_t used;

		strbuf_clear(&name);
		used = table_add_cut(&name, finding->columns[i], width - 1);
		table_add_coloured(out, style, "1", strbuf_text(&name));
		if (i + 1 < finding->columns_len)
			add_blanks(out, width - used);
	}
	strbuf_addc(out, '\n');
	strbuf_release(&name);
}

/* ---- list ---- */

static void add_list_event(struct strbuf *out, const struct report_event *event, bool place,
			   uint32_t name_width, const struct report_style *style)
{
	uint32_t room = style->width - MARGIN - name_width;
	struct strbuf name = {0}, text = {0};
	uint32_t used = table_add_cut(&name, event->actor, name_width - 2);

	add_step(out, event);
	table_add_coloured(out, style, colour_of(event->column), strbuf_text(&name));
	add_blanks(out, name_width - used);
	add_line(out, style, "0", room, event->text);
	if (place) {
		add_place(&text, event);
		add_blanks(out, MARGIN + name_width);
		add_line(out, style, "2", room, strbuf_text(&text));
	}
	strbuf_release(&name);
	strbuf_release(&text);
}

static uint32_t name_width_of(const struct report_finding *finding)
{
	uint32_t widest = 4;

	for (uint32_t i = 0; i < finding->columns_len; i++)
		if (count_characters(finding->columns[i]) > widest)
			widest = count_characters(finding->columns[i]);
	return (widest > 20 ? 20 : widest) + 2;
}

/* ---- both ---- */

static void add_legend(struct strbuf *out, const struct report_finding *finding)
{
	bool preempts = false, culprit = false, waits = false;

	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		preempts |= finding->interleaving[i].is_preemption;
		culprit |= finding->interleaving[i].is_culprit;
		waits |= finding->interleaving[i].step == REPORT_NO_STEP;
	}
	if (preempts || culprit || waits)
		strbuf_addc(out, '\n');
	if (preempts)
		strbuf_adds(out, "      > taken while the one before could have gone on\n");
	if (culprit)
		strbuf_adds(out, "      ! part of the bug\n");
	if (waits)
		strbuf_adds(out, "      - never taken: waits here\n");
}

void table_add(struct strbuf *out, const struct report_finding *finding,
	       const struct report_style *style)
{
	uint32_t columns = finding->columns_len ? finding->columns_len : 1;
	uint32_t width = (style->width - MARGIN) / columns;
	bool is_list = width < NARROWEST;
	uint32_t len = finding->interleaving_len;
	uint32_t from = len > SHOWN_MAX ? len - SHOWN_MAX : 0;

	if (!is_list)
		add_column_heads(out, finding, width, style);
	if (from)
		strbuf_addf(out, "        … %u step%s before\n", from, PLURAL(from));
	for (uint32_t i = from; i < len; i++) {
		const struct report_event *event = &finding->interleaving[i];
		bool place = has_place(event, i > from ? event - 1 : NULL);

		if (is_list)
			add_list_event(out, event, place, name_width_of(finding), style);
		else
			add_column_event(out, event, place, width, style);
	}
	add_legend(out, finding);
}
