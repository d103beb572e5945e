/* The report for people. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "core/finding.h"
#include "report/causes.h"
#include "report/report.h"
#include "report/table.h"

enum {
	DEFAULT_WIDTH = 100,
	NARROWEST_PAGE = 40,
	OUTPUT_MAX = 4000,
	FRAME_INDENT = 6,
	FRAME_MARGIN = 11,
	FRAME_NAME = 28,
	FRAME_NAME_LEAST = 16
};

static struct report_style complete_style(const struct report_style *style)
{
	struct report_style full = style ? *style : (struct report_style){0};

	if (full.width == 0) {
		full.width = DEFAULT_WIDTH;
		full.is_endless = true;
	}
	if (full.width < NARROWEST_PAGE)
		full.width = NARROWEST_PAGE;
	return full;
}

/* The first `len` bytes of a text, or as many whole characters of them as fit into `room` columns; their
 * columns are in *used. The control sequences of colours take none. */
static size_t fit(const char *text, size_t len, uint32_t room, uint32_t *used)
{
	size_t i = 0;

	*used = 0;
	while (i < len) {
		size_t next = i + 1;

		if (text[i] == '\033') {
			i += strcspn(text + i, "m") + 1;
			continue;
		}
		while (next < len && ((unsigned char)text[next] & 0xc0) == 0x80)
			next++;
		if (*used == room)
			return i;
		++*used;
		i = next;
	}
	return len;
}

/* Paragraph with an indent, broken at blanks. */
static void add_wrapped(struct strbuf *out, const char *text, uint32_t indent, uint32_t width)
{
	uint32_t column = 0, used;

	while (*text) {
		size_t word = strcspn(text, " \n");

		fit(text, word, UINT32_MAX, &used);
		if (column && column + 1 + used > width) {
			strbuf_addc(out, '\n');
			column = 0;
		}
		if (column == 0) /* a word that is longer than a line is broken */
			word = fit(text, word, width - indent, &used);
		if (column == 0) {
			strbuf_addf(out, "%*s", (int)indent, "");
			column = indent;
		} else {
			strbuf_addc(out, ' ');
			column++;
		}
		strbuf_add(out, text, word);
		column += used;
		text += word;
		text += *text == ' ' || *text == '\n';
		if (column >= width && *text) {
			strbuf_addc(out, '\n');
			column = 0;
		}
	}
	strbuf_addc(out, '\n');
}

/* Adds an empty line and the text, which is released. */
static void add_paragraph(struct strbuf *out, struct strbuf *text, uint32_t width)
{
	strbuf_addc(out, '\n');
	add_wrapped(out, strbuf_text(text), 2, width);
	strbuf_release(text);
}

/* A path in a line that has so many columns already. Of one that is too long the end is what tells. */
static void add_fitting(struct strbuf *out, const char *path, const struct report_style *style,
			uint32_t used)
{
	if (style->is_endless || style->full)
		strbuf_adds(out, path);
	else
		table_add_tail(out, path, style->width > used + 2 ? style->width - used : 2);
}

static void add_title(struct strbuf *out, const struct report_finding *finding,
		      const struct report_style *style)
{
	struct strbuf title = {0}, where = {0};

	strbuf_addf(&title, "%s at ", finding_kind_text(finding->kind));
	report_add_where(&where, finding);
	add_fitting(&title, strbuf_text(&where), style, (uint32_t)title.len);
	table_add_coloured(out, style, "1;31", strbuf_text(&title));
	strbuf_addc(out, '\n');
	strbuf_release(&title);
	strbuf_release(&where);
}

static uint32_t count_steps_in_slice(const struct report_finding *finding)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < finding->interleaving_len; i++)
		count += finding->interleaving[i].in_slice &&
			 finding->interleaving[i].step < REPORT_BETWEEN;
	return count;
}

static bool is_sliced(const struct report_finding *finding, const struct report_style *style)
{
	return finding->slice_len && !style->full &&
	       count_steps_in_slice(finding) < finding->events;
}

/* The text of the finding begins at `begin`. */
static void add_interleaving(struct strbuf *out, size_t begin, const struct report_finding *finding,
			     const struct report_style *style)
{
	struct strbuf head = {0};
	uint32_t above = 0;

	if (finding->interleaving_len == 0)
		return;
	strbuf_adds(&head, "How it happens (");
	if (is_sliced(finding, style))
		strbuf_addf(&head, "%u of ", count_steps_in_slice(finding));
	report_add_count(&head, finding->events, "step");
	strbuf_adds(&head, ", ");
	report_add_count(&head, finding->preemptions, "preemption");
	strbuf_addf(&head, "; found in run %" PRIu64 "%s%s):", finding->executions_before + 1,
		    finding->is_cut ? "; shortening stopped early" : "",
		    is_sliced(finding, style) ? "; --full shows all steps" : "");
	add_paragraph(out, &head, style->width);
	strbuf_addc(out, '\n');
	for (const char *at = strbuf_text(out) + begin; (at = strchr(at, '\n')); at++)
		above++;
	table_add(out, finding, style, above);
}

/* A command is not broken into two lines: it gets a line of its own. */
static void add_fingerprint(struct strbuf *out, const struct report_finding *finding, uint32_t width)
{
	struct strbuf print = {0}, replay = {0};

	strbuf_addf(&print, "\n  Fingerprint %016" PRIx64 "%s", finding->fingerprint,
		    finding->is_known ? ", known (--baseline)" : "");
	report_add_replay(&replay, "; replay: ", finding);
	if (replay.len && print.len - 1 + replay.len > width) {
		strbuf_clear(&replay);
		report_add_replay(&replay, "\n  Replay: ", finding);
	}
	strbuf_addf(out, "%s%s\n", strbuf_text(&print), strbuf_text(&replay));
	strbuf_release(&print);
	strbuf_release(&replay);
}

/* Of a library the name of the header is enough; `--full` has the path. */
static void add_frame_place(struct strbuf *out, const struct report_frame *frame, bool is_undefined, bool is_full)
{
	const char *function = frame->function ? frame->function : "??";

	if (!frame->file)
		strbuf_adds(out, !strchr(function, '/') || !strchr(function, ':') ? "(no debug information)"
				 : is_undefined						  ? "(undefined)"
											  : "(built in)");
	else if (!is_full && file_is_of_library(frame->file))
		strbuf_addf(out, "%s:%u", file_base_name(frame->file), frame->line);
	else
		report_add_place(out, frame);
}

/* The name of a function of a template is cut where it does not fit. */
static void add_frame(struct strbuf *out, uint32_t nth, const struct report_frame *frame, bool is_undefined,
		      const struct report_style *style)
{
	const char *function = frame->function ? frame->function : "??";
	struct strbuf place = {0}, name = {0};
	uint32_t room, used;

	add_frame_place(&place, frame, is_undefined, style->full);
	room = style->width > place.len + FRAME_MARGIN ? style->width - (uint32_t)place.len - FRAME_MARGIN : 0;
	room = room > FRAME_NAME_LEAST ? room : FRAME_NAME_LEAST;
	table_add_cut(&name, function, style->full ? UINT32_MAX : room);
	room = room < FRAME_NAME ? room : FRAME_NAME;
	strbuf_addf(out, "      #%-2u %-*s ", nth, (int)room, strbuf_text(&name));
	used = table_width(strbuf_text(&name));
	add_fitting(out, strbuf_text(&place), style, FRAME_MARGIN + (used > room ? used : room));
	strbuf_addc(out, '\n');
	strbuf_release(&place);
	strbuf_release(&name);
}

/* How many frames from here on are inside of a library, below the one that the program called. */
static uint32_t count_inner_frames(const struct report_site *site, uint32_t from)
{
	uint32_t end = from;

	while (end < site->frames_len && site->frames[end].file &&
	       file_is_of_library(site->frames[end].file))
		end++;
	return end > from ? end - from - 1 : 0;
}

/* A process of Erlang that ended because it called a function that does not exist: that function is the first frame. */
static bool is_undefined_call(const struct report_finding *finding)
{
	return finding->message && (strstr(finding->message, " exits with reason undef") ||
				    strstr(finding->message, " exits with reason :undef"));
}

static void add_frames(struct strbuf *out, const struct report_finding *finding, const struct report_site *site,
		       const struct report_style *style)
{
	for (uint32_t i = 0; i < site->frames_len; i++) {
		uint32_t inner = style->full ? 0 : count_inner_frames(site, i);

		if (inner > 1) { /* a line for one frame would not save any */
			strbuf_addf(out, "      …   %u frames of a library (--full)\n", inner);
			i += inner;
		}
		add_frame(out, i, &site->frames[i], i == 0 && is_undefined_call(finding), style);
	}
}

static void add_site_place(struct strbuf *out, const struct report_finding *finding,
			   const struct report_site *site)
{
	report_add_place_of(out, finding->kind, &site->at);
	if (site->at.file && site->at.function)
		strbuf_addf(out, " in %s", site->at.function);
}

static void add_site(struct strbuf *out, const struct report_finding *finding,
		     const struct report_site *site, const struct report_style *style)
{
	struct strbuf line = {0};

	if (site->actor) {
		table_add_coloured(&line, style, "1", report_actor_name(finding, site->actor));
		strbuf_addc(&line, ' ');
	}
	if (!strstr(site->role, ", ")) {
		strbuf_addf(&line, "%s at ", site->role);
		add_site_place(&line, finding, site);
	} else { /* a role of two sentences: the place would belong to the second one */
		strbuf_adds(&line, "at ");
		add_site_place(&line, finding, site);
		strbuf_addf(&line, ": %s", site->role);
	}
	add_wrapped(out, strbuf_text(&line), 4, style->width);
	add_frames(out, finding, site, style);
	for (uint32_t i = 0; i < site->locks_len; i++) {
		strbuf_clear(&line);
		strbuf_addf(&line, "holds %s", site->locks[i]);
		add_wrapped(out, strbuf_text(&line), FRAME_INDENT, style->width);
	}
	strbuf_release(&line);
}

static void add_sites(struct strbuf *out, const struct report_finding *finding,
		      const struct report_style *style)
{
	if (finding->sites_len == 0)
		return;
	strbuf_adds(out, "\n  Where:\n\n");
	for (uint32_t i = 0; i < finding->sites_len; i++)
		add_site(out, finding, &finding->sites[i], style);
}

/* The output of the program, without bytes that a terminal would interpret. */
static void add_output(struct strbuf *out, const struct report_finding *finding)
{
	size_t len = finding->output_len;
	size_t from = len > OUTPUT_MAX ? len - OUTPUT_MAX : 0;
	bool at_start = true;

	if (len == 0)
		return;
	strbuf_addf(out, "\n  Output of the program in that run%s:\n\n",
		    from ? " (the last part)" : "");
	for (size_t i = from; i < len; i++) {
		char c = finding->output[i];

		if (at_start)
			strbuf_adds(out, "    | ");
		at_start = c == '\n';
		strbuf_addc(out, c == '\n' || c == '\t' || ((unsigned char)c >= 0x20 && c != 0x7f)
				 ? c : '?');
	}
	if (!at_start)
		strbuf_addc(out, '\n');
}

static void add_moving(struct strbuf *out, const struct report_finding *finding, uint32_t width)
{
	struct strbuf text = {0};

	report_add_moving(&text, finding);
	add_wrapped(out, strbuf_text(&text), 2, width);
	strbuf_release(&text);
}

static void add_head(const struct report_finding *finding, const struct report_style *style,
		     struct strbuf *out)
{
	add_title(out, finding, style);
	strbuf_addc(out, '\n');
	add_wrapped(out, finding->message, 2, style->width);
	if (finding->details)
		strbuf_addf(out, "\n%s", finding->details);
}

static void add_body(const struct report_finding *finding, const struct report_style *style,
		     size_t begin, struct strbuf *out)
{
	struct strbuf text = {0};

	if (finding->always) {
		report_add_always(&text, finding);
		add_paragraph(out, &text, style->width);
	}
	if (finding->patient) {
		report_add_patient(&text, finding);
		add_paragraph(out, &text, style->width);
	}
	if (finding->tried && !finding->order) { /* with an order, a schedule that passes is known */
		strbuf_adds(&text, "Fails in ");
		report_add_count(&text, finding->tried, "other schedule");
		strbuf_adds(&text, ", too, but not all were tried.");
		add_paragraph(out, &text, style->width);
	}
	if (finding->is_tied) {
		strbuf_adds(&text, "Shows only with the environment of this test, which the finding "
				   "records.");
		add_paragraph(out, &text, style->width);
	}
	if (finding->order) {
		strbuf_addc(out, '\n');
		add_wrapped(out, finding->order, 2, style->width);
	}
	add_interleaving(out, begin, finding, style);
	add_sites(out, finding, style);
	add_output(out, finding);
	if (finding->moving) { /* behind what explains the bug: it is about the replay */
		strbuf_addc(out, '\n');
		add_moving(out, finding, style->width);
	}
	add_fingerprint(out, finding, style->width);
}

void report_finding_text(const struct report_finding *finding, const struct report_style *style,
			 struct strbuf *out)
{
	struct report_style full = complete_style(style);
	size_t begin = out->len;

	add_head(finding, &full, out);
	add_body(finding, &full, begin, out);
}

static void add_numbers(struct strbuf *page, const struct report *report, uint32_t width)
{
	struct strbuf line = {0}, *out = &line;

	if (!*report->strategy) /* a finding of an older version does not have the numbers */
		return;
	strbuf_addf(out, "%s: ", report->program);
	report_add_runs(out, report);
	if (report->blocked_executions)
		strbuf_addf(out, ", %" PRIu64 " abandoned", report->blocked_executions);
	if (report->spin_executions && (report->executions || report->sampled))
		strbuf_addf(out, ", %" PRIu64 " cut in a spin loop", report->spin_executions);
	strbuf_adds(out, ", ");
	report_add_count(out, report->steps, "step");
	strbuf_addf(out, ", %.2f s %s", report->wall_seconds,
		    report->is_until_finding ? "until the finding" : "of search");
	if (report->peak_rss_kb)
		strbuf_addf(out, ", %.1f MB", (double)report->peak_rss_kb / 1024);
	strbuf_addf(out, "; strategy %s, seed %" PRIu64, report->strategy, report->seed);
	if (*report->restart)
		strbuf_addf(out, ", restart by %s", report->restart);
	if (*report->restart_reason)
		strbuf_addf(out, " (%s)", report->restart_reason);
	if (report->verdict == REPORT_PROVED && report->not_certified && *report->not_certified)
		strbuf_addf(out, "; not certified: %s", report->not_certified);
	add_wrapped(page, strbuf_text(&line), 0, width);
	strbuf_release(&line);
}

static void add_verdict(struct strbuf *out, const struct report *report,
			const struct report_style *style)
{
	static const char *const codes[] = {
		[REPORT_PROVED] = "1;32",
		[REPORT_NO_BUG_FOUND] = "1",
		[REPORT_KNOWN] = "1",
		[REPORT_BUG] = "1;31",
		[REPORT_LOST_CONTROL] = "1;33",
		[REPORT_INTERRUPTED] = "1;33",
	};
	struct strbuf line = {0};

	report_verdict_line(report, &line);
	table_add_coloured(out, style, codes[report->verdict], strbuf_text(&line));
	strbuf_addc(out, '\n');
	strbuf_release(&line);
}

/* "3 further races probably have the same cause: q.c:12, q.c:14 and q.c:15." */
static void add_followers(struct strbuf *out, const struct report *report, uint32_t first,
			  uint32_t width)
{
	struct strbuf text = {0}, places = {0};
	const char *why;
	uint32_t len = 0;

	for (uint32_t i = first + 1; i < report->findings_len; i++) {
		if (causes_first(report, i, &why) != first)
			continue;
		strbuf_adds(&places, len++ ? ", " : "");
		report_add_where(&places, &report->findings[i]);
	}
	if (len) {
		report_add_count(&text, len, "further race");
		strbuf_addf(&text, " probably %s the same cause: %s.", len == 1 ? "has" : "have",
			    strbuf_text(&places));
		add_paragraph(out, &text, width);
	}
	strbuf_release(&places);
}

/* A race that another one explains: its sentence, and where to read more. */
static void add_follower(struct strbuf *out, const struct report_finding *finding,
			 const struct report_finding *first, const char *why,
			 const struct report_style *style)
{
	struct strbuf text = {0};

	add_head(finding, style, out);
	strbuf_addf(&text, "It probably has the same cause as the %s at ",
		    finding_kind_text(first->kind));
	report_add_where(&text, first);
	strbuf_addf(&text, ": %s.", why);
	add_paragraph(out, &text, style->width);
	add_fingerprint(out, finding, style->width);
}

void report_text(const struct report *report, const struct report_style *style,
		 struct strbuf *out)
{
	struct report_style full = complete_style(style);
	struct strbuf line = {0};

	for (uint32_t i = 0; i < report->findings_len; i++) {
		const struct report_finding *finding = &report->findings[i];
		const char *why = NULL;
		uint32_t first = causes_first(report, i, &why);
		size_t begin = out->len;

		if (first != i && !full.full) {
			add_follower(out, finding, &report->findings[first], why, &full);
		} else {
			add_head(finding, &full, out);
			add_followers(out, report, i, full.width);
			add_body(finding, &full, begin, out);
		}
		strbuf_addc(out, '\n');
	}
	for (uint32_t i = 0; i < report->warnings_len; i++) {
		strbuf_addf(&line, "warning: %s", report->warnings[i]);
		add_wrapped(out, strbuf_text(&line), 0, full.is_endless ? UINT32_MAX : full.width);
		strbuf_clear(&line);
	}
	strbuf_release(&line);
	if (report->coverage_text)
		strbuf_adds(out, report->coverage_text);
	add_numbers(out, report, full.width);
	add_verdict(out, report, &full);
}
