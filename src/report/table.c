#include "report/table.h"

#include <string.h>

#include "base/file.h"
#include "base/plural.h"

enum {
	MARGIN = 8,       /* step number and mark */
	NARROWEST = 26,   /* a column below this is a list instead */
	WIDEST = 60,      /* a column above this only has blanks to read across */
	SHOWN_MAX = 100,  /* steps; of a longer run the last ones */
	COLUMNS_MAX = 32,
	FEW_ROWS = 12,    /* a table of so many rows is shown as a whole */
	BEFORE_PAIR = 2,  /* rows shown before the pair of steps whose order matters */
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

/* The words for such a step say what its line does: the place is enough, and stands behind them. */
static bool is_brief(const struct report_event *event)
{
	static const char *const kinds[] = {
		"create", "join", "finish", "lock", "unlock", "read-lock", "read-unlock", "signal",
		"broadcast", "wait", "wake", "sem-wait", "sem-post", "barrier-arrive",
		"barrier-leave",
	};

	if (is_around(event))
		return event->file != NULL;
	for (size_t i = 0; event->kind && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(event->kind, kinds[i]) == 0)
			return event->file != NULL;
	return false;
}

/* The words for a step, with its place if that is on the same line. */
static void add_words(struct strbuf *out, const struct report_event *event)
{
	/* Memory without a name says less than the line. */
	if (is_around(event) && event->source && strstr(event->text, "heap(")) {
		add_place(out, event);
		return;
	}
	strbuf_adds(out, event->text);
	if (is_brief(event))
		strbuf_addf(out, "  %s:%u", file_base_name(event->file), event->line);
}

static bool has_place(const struct report_event *event, const struct report_event *before)
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

static bool is_shown(const struct report_finding *finding, const struct report_style *style,
		     const struct report_event *event)
{
	return style->full || !finding->slice_len || event->in_slice;
}

/* Would a fourth of the rows be cut? */
static bool has_long_rows(const struct layout *layout, const struct report_finding *finding,
			  const struct report_style *style)
{
	uint32_t rows = 0, cut = 0;

	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		const struct report_event *event = &finding->interleaving[i];

		if (!is_shown(finding, style, event))
			continue;
		rows++;
		cut += MARGIN + layout->places[event->column] * layout->width +
			       count_characters(event->text) > style->width;
	}
	return cut * 4 > rows;
}

static void lay_out(struct layout *layout, const struct report_finding *finding,
		    const struct report_style *style)
{
	bool used[COLUMNS_MAX] = {false};

	*layout = (struct layout){.is_list = finding->columns_len > COLUMNS_MAX};
	if (layout->is_list)
		return;
	for (uint32_t i = 0; i < finding->interleaving_len; i++)
		if (is_shown(finding, style, &finding->interleaving[i]))
			used[finding->interleaving[i].column] = true;
	for (uint32_t i = 0; i < finding->columns_len; i++) {
		layout->places[i] = layout->shown;
		if (used[i])
			layout->columns[layout->shown++] = i;
	}
	layout->width = (style->width - MARGIN) / (layout->shown ? layout->shown : 1);
	layout->width = layout->width > WIDEST ? WIDEST : layout->width;
	layout->is_list = layout->width < NARROWEST || has_long_rows(layout, finding, style);
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
	add_words(&text, event);
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
		used = table_add_cut(&name, finding->columns[layout->columns[i]],
				     layout->width - 1);
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
	uint32_t used = table_add_cut(&name, finding->columns[event->column],
				      name_width - 2);

	add_step(out, event);
	table_add_coloured(out, style, colour_of(event->column), strbuf_text(&name));
	add_blanks(out, name_width - used);
	add_words(&text, event);
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
		if (count_characters(finding->columns[i]) > widest)
			widest = count_characters(finding->columns[i]);
	return (widest > 20 ? 20 : widest) + 2;
}

/* ---- both ---- */

static void add_legend(struct strbuf *out, const struct report_finding *finding,
		       const struct report_style *style)
{
	bool preempts = false, culprit = false, waits = false, reversed = false;

	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		const struct report_event *event = &finding->interleaving[i];

		if (!is_shown(finding, style, event))
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
		strbuf_adds(out, "      - never taken: waits here\n");
}

/* How many rows at the beginning are left out: of a long run those that come well before the pair of
 * steps whose order matters; of a run without such a pair, all but the last SHOWN_MAX. */
static uint32_t count_cut(const struct report_finding *finding, const struct report_style *style)
{
	uint32_t shown = 0, first = 0;
	bool has_pair = false;

	if (style->full)
		return 0;
	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		if (!has_pair && finding->interleaving[i].is_reversed) {
			first = shown;
			has_pair = true;
		}
		shown += is_shown(finding, style, &finding->interleaving[i]);
	}
	if (has_pair && shown > FEW_ROWS && first > BEFORE_PAIR + 2)
		return first - BEFORE_PAIR;
	return shown > SHOWN_MAX ? shown - SHOWN_MAX : 0;
}

void table_add(struct strbuf *out, const struct report_finding *finding,
	       const struct report_style *style)
{
	const struct report_event *before = NULL;
	uint32_t cut = count_cut(finding, style), name_width = name_width_of(finding);
	struct layout layout;

	lay_out(&layout, finding, style);
	if (!layout.is_list)
		add_column_heads(out, finding, &layout, style);
	if (cut)
		strbuf_addf(out, "        … %u row%s before (--full shows them)\n", cut,
			    PLURAL(cut));
	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		const struct report_event *event = &finding->interleaving[i];
		bool place = has_place(event, before);

		if (!is_shown(finding, style, event) || (cut && cut--))
			continue;
		if (layout.is_list)
			add_list_event(out, finding, event, place, name_width, style);
		else
			add_column_event(out, event, place, &layout, style);
		before = event;
	}
	add_legend(out, finding, style);
}
