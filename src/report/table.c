#include "report/table.h"

#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/plural.h"
#include "report/rows.h"

enum {
	MARGIN = 8,	/* step number and mark */
	NARROWEST = 26, /* a column below this is a list instead */
	WIDEST = 60,	/* a column above this only has blanks to read across */
	COLUMNS_MAX = 32,
	NAME_LEAST = 4, /* so much of a name is left of its end */
	READABLE = 40,	/* so much of a source line tells what the line does */
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

uint32_t table_width(const char *text)
{
	uint32_t count = 0;

	for (; *text; text++)
		count += starts_character(*text);
	return count;
}

uint32_t table_add_cut(struct strbuf *out, const char *text, uint32_t columns)
{
	uint32_t total = table_width(text), used = 0;
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

/* Of a name that is too long the end stays, by which it differs from others: "visitor_an…/fun#2". */
static uint32_t add_name(struct strbuf *out, const char *name, uint32_t columns)
{
	const char *tail = strrchr(name, '/') ? strrchr(name, '/') : strrchr(name, '#');

	if (tail && table_width(tail) + NAME_LEAST > columns)
		tail = strrchr(name, '#');
	if (!tail || table_width(name) <= columns || table_width(tail) + NAME_LEAST > columns)
		return table_add_cut(out, name, columns);
	for (uint32_t used = 0, room = columns - table_width(tail); *name; name++) {
		if (starts_character(*name) && ++used == room)
			break;
		strbuf_addc(out, *name);
	}
	strbuf_addf(out, "…%s", tail);
	return columns;
}

void table_add_tail(struct strbuf *out, const char *text, uint32_t columns)
{
	uint32_t left = table_width(text);
	const char *tail = text;

	if (left <= columns) {
		strbuf_adds(out, text);
		return;
	}
	for (; left >= columns; left--)
		do
			tail++;
		while (!starts_character(*tail));
	if (strchr(tail, '/'))
		tail = strchr(tail, '/');
	strbuf_addf(out, "…%s", tail);
}

static void add_blanks(struct strbuf *out, uint32_t n)
{
	while (n--)
		strbuf_addc(out, ' ');
}

/* "bank.c:14  balance = old + 1;", without the source when it is not known. */
static void add_place(struct strbuf *out, const struct report_event *event)
{
	strbuf_addf(out, "%s:%u", file_base_name(event->file), event->line);
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
	strbuf_adds(out, event->is_reversed ? "*"
			 : event->is_culprit ? "!" : event->is_preemption ? ">" : " ");
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

/* Is it a plain access that shows what happens between the steps? */
static bool is_around(const struct report_event *event)
{
	return event->step == REPORT_BETWEEN && !event->is_culprit;
}

/* Do the words name the call that the line makes, with its arguments: "send stop to pool", "ets:lookup(t, k) → []"? */
static bool is_call_in_words(const struct report_event *event)
{
	static const char *const kinds[] = {
		"ets-read", "ets-write", "term-read", "term-write", "whereis", "register", "unregister",
		"monitor", "demonitor", "link", "unlink", "exit-signal", "inspect",
	};
	const char *kind = event->kind ? event->kind : "";

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kind, kinds[i]) == 0)
			return strchr(event->text, '(');
	/* The line of a message that a timer sends is that of erlang:send_after. */
	if (strncmp(event->text, "waits: receive ", strlen("waits: receive ")) == 0)
		return true;
	if (strcmp(kind, "send") == 0) /* a fun says nothing, its line does */
		return !strstr(event->text, "#fn<") && !strstr(event->text, "#Fun<");
	return strcmp(kind, "deliver") == 0 ||
	       (strcmp(kind, "receive") == 0 && strncmp(event->text, "receive ", strlen("receive ")) == 0);
}

/* The words for such a step say what its line does: the place is enough, and stands behind them. */
static bool is_brief(const struct report_event *event)
{
	static const char *const kinds[] = {
		"create", "join", "finish", "lock", "unlock", "read-lock", "read-unlock", "signal",
		"broadcast", "wait", "wake", "sem-wait", "sem-post", "barrier-arrive",
		"barrier-leave",
	};

	if (is_around(event) || is_call_in_words(event))
		return event->file != NULL;
	for (size_t i = 0; event->kind && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(event->kind, kinds[i]) == 0)
			return event->file != NULL;
	return false;
}

/* "lock pool.mutex  …:43" if there is no room for the name of the file: the number of the line is what
 * the reader needs. For it a line of the source is cut, a value is not: "read cache: `if (cach…  …:43". False
 * if a value leaves no room for it: it needs a line of its own. */
static bool add_short_place(struct strbuf *out, const struct report_event *event, uint32_t room)
{
	bool fits;

	struct strbuf place = {0}, text = {0};
	const char *aside = strstr(event->text, " (unlocks ");
	uint32_t len;

	strbuf_addf(&place, "  …:%u", event->line);
	if (aside && table_width(event->text) + table_width(strbuf_text(&place)) > room)
		strbuf_add(&text, event->text, (size_t)(aside - event->text));
	else
		strbuf_adds(&text, event->text);
	if (table_width(strbuf_text(&text)) + table_width(strbuf_text(&place)) > room) {
		strbuf_clear(&place);
		strbuf_addf(&place, " :%u", event->line);
	}
	len = table_width(strbuf_text(&place));
	fits = table_width(strbuf_text(&text)) + len <= room || strstr(event->text, ": `");
	if (fits)
		table_add_cut(out, strbuf_text(&text), room > len + 1 ? room - len : 2);
	else
		strbuf_adds(out, event->text);
	strbuf_adds(out, fits ? strbuf_text(&place) : "");
	strbuf_release(&place);
	strbuf_release(&text);
	return fits;
}

/* The words for a step, with its place if that is on the same line. False if it should be there, and there
 * is no room for it. */
static bool add_words(struct strbuf *out, const struct report_event *event, uint32_t room)
{
	/* Memory without a name says less than the line. */
	if (is_around(event) && event->source && strstr(event->text, "heap(")) {
		add_place(out, event);
		return true;
	}
	strbuf_adds(out, event->text);
	if (!is_brief(event))
		return true;
	strbuf_addf(out, "  %s:%u", file_base_name(event->file), event->line);
	if (table_width(strbuf_text(out)) <= room)
		return true;
	strbuf_clear(out);
	return add_short_place(out, event, room);
}

bool table_has_place(const struct report_event *event, const struct report_event *before)
{
	if (!event->file || is_brief(event))
		return false;
	return !before || before->column != event->column || before->line != event->line ||
	       !before->file || strcmp(before->file, event->file) != 0;
}

/* ---- which rows and columns ---- */

/* Only actors of rows that are shown get a column. */
struct layout {
	uint32_t columns[COLUMNS_MAX]; /* by place: the column of the finding */
	uint32_t places[COLUMNS_MAX];  /* by column of the finding */
	uint32_t shown;
	uint32_t width; /* of a column */
	bool is_list;
};

/* 2 if the words of the row are cut, 1 if so much of its source line is that the rest says nothing. */
static uint32_t weigh_cut(const struct report_event *event, uint32_t room)
{
	if (table_width(event->text) > room)
		return 2;
	return room < READABLE && event->source && !is_brief(event) &&
	       table_width(event->source) + strlen("file.c:12  ") > room;
}

/* Would a fourth of the rows be cut, or half of the source lines? */
static bool has_long_rows(const struct layout *layout, const struct report_finding *finding,
			  const struct report_style *style, const bool *shown)
{
	uint32_t rows = 0, cut = 0;

	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		const struct report_event *event = &finding->interleaving[i];

		if (!shown[i])
			continue;
		rows++;
		cut += weigh_cut(event, style->width - MARGIN -
					     layout->places[event->column] * layout->width);
	}
	return cut * 2 > rows;
}

static void lay_out(struct layout *layout, const struct report_finding *finding,
		    const struct report_style *style, const bool *shown)
{
	bool used[COLUMNS_MAX] = {false};

	*layout = (struct layout){.is_list = finding->columns_len > COLUMNS_MAX};
	if (layout->is_list)
		return;
	for (uint32_t i = 0; i < finding->interleaving_len; i++)
		if (shown[i])
			used[finding->interleaving[i].column] = true;
	for (uint32_t i = 0; i < finding->columns_len; i++) {
		layout->places[i] = layout->shown;
		if (used[i])
			layout->columns[layout->shown++] = i;
	}
	layout->width = (style->width - MARGIN) / (layout->shown ? layout->shown : 1);
	layout->width = layout->width > WIDEST ? WIDEST : layout->width;
	layout->is_list = layout->width < NARROWEST || has_long_rows(layout, finding, style, shown);
}

/* ---- columns ---- */

static void add_column_event(struct strbuf *out, const struct report_event *event, bool place,
			     const struct layout *layout, const struct report_style *style)
{
	uint32_t indent = layout->places[event->column] * layout->width;
	/* The columns to the right are free in this row: the text may run on into them. */
	uint32_t room = style->width - MARGIN - indent;
	struct strbuf text = {0};

	add_step(out, event);
	add_blanks(out, indent);
	place = !add_words(&text, event, room) || place;
	add_line(out, style, colour_of(event->column), room, strbuf_text(&text));
	if (place) {
		strbuf_clear(&text);
		add_place(&text, event);
		add_blanks(out, MARGIN + indent);
		add_line(out, style, "2", room, strbuf_text(&text));
	}
	strbuf_release(&text);
}

static void add_column_heads(struct strbuf *out, const struct report_finding *finding,
			     const struct layout *layout, const struct report_style *style)
{
	struct strbuf name = {0};

	add_blanks(out, MARGIN);
	for (uint32_t i = 0; i < layout->shown; i++) {
		uint32_t used;

		strbuf_clear(&name);
		used = add_name(&name, finding->columns[layout->columns[i]], layout->width - 1);
		table_add_coloured(out, style, "1", strbuf_text(&name));
		if (i + 1 < layout->shown)
			add_blanks(out, layout->width - used);
	}
	strbuf_addc(out, '\n');
	strbuf_release(&name);
}

/* ---- list ---- */

static void add_list_event(struct strbuf *out, const struct report_finding *finding,
			   const struct report_event *event, bool place, uint32_t name_width,
			   const struct report_style *style)
{
	uint32_t room = style->width - MARGIN - name_width;
	struct strbuf name = {0}, text = {0};
	uint32_t used = add_name(&name, finding->columns[event->column], name_width - 2);

	add_step(out, event);
	table_add_coloured(out, style, colour_of(event->column), strbuf_text(&name));
	add_blanks(out, name_width - used);
	place = !add_words(&text, event, room) || place;
	add_line(out, style, "0", room, strbuf_text(&text));
	if (place) {
		strbuf_clear(&text);
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
		if (table_width(finding->columns[i]) > widest)
			widest = table_width(finding->columns[i]);
	return (widest > 20 ? 20 : widest) + 2;
}

/* ---- both ---- */

static void add_legend(struct strbuf *out, const struct report_finding *finding, const bool *shown)
{
	bool preempts = false, culprit = false, waits = false, reversed = false;

	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		const struct report_event *event = &finding->interleaving[i];

		if (!shown[i])
			continue;
		reversed |= event->is_reversed;
		culprit |= event->is_culprit && !event->is_reversed;
		preempts |= event->is_preemption && !event->is_culprit && !event->is_reversed;
		waits |= event->step == REPORT_NO_STEP;
	}
	if (preempts || culprit || waits || reversed)
		strbuf_addc(out, '\n');
	if (preempts)
		strbuf_adds(out, "      > taken while the one before could have gone on\n");
	if (reversed)
		strbuf_adds(out, "      * the order of these steps matters\n");
	if (culprit)
		strbuf_adds(out, "      ! part of the bug\n");
	if (waits)
		strbuf_adds(out, "      - never taken\n");
}

static void add_gap(struct strbuf *out, uint32_t rows, bool is_first)
{
	if (rows && is_first)
		strbuf_addf(out, "        … %u row%s before (--full shows them)\n", rows, PLURAL(rows));
	else if (rows)
		strbuf_addf(out, "        … %u row%s\n", rows, PLURAL(rows));
}

static void add_rows(struct strbuf *out, const struct report_finding *finding,
		     const struct report_style *style, const bool *shown)
{
	const struct report_event *before = NULL;
	uint32_t name_width = name_width_of(finding), left_out = 0;
	struct layout layout;

	lay_out(&layout, finding, style, shown);
	if (!layout.is_list)
		add_column_heads(out, finding, &layout, style);
	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		const struct report_event *event = &finding->interleaving[i];
		bool place = table_has_place(event, before);

		left_out += !shown[i] && rows_matter(finding, event);
		if (!shown[i])
			continue;
		if (!style->full)
			add_gap(out, left_out, !before);
		left_out = 0;
		if (layout.is_list)
			add_list_event(out, finding, event, place, name_width, style);
		else
			add_column_event(out, event, place, &layout, style);
		before = event;
	}
}

void table_add(struct strbuf *out, const struct report_finding *finding,
	       const struct report_style *style, uint32_t above)
{
	bool *shown = rows_pick(finding, style->full, above);

	add_rows(out, finding, style, shown);
	add_legend(out, finding, shown);
	mem_free(shown);
}
