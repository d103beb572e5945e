#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/harmless.h"
#include "base/plural.h"
#include "core/finding.h"

static const char *const verdicts[] = {
	[REPORT_PROVED] = "proved",
	[REPORT_NO_BUG_FOUND] = "no-bug-found",
	[REPORT_KNOWN] = "known",
	[REPORT_BUG] = "bug",
	[REPORT_LOST_CONTROL] = "lost-control",
	[REPORT_INTERRUPTED] = "interrupted",
};

const char *report_verdict_text(enum report_verdict verdict)
{
	return verdicts[verdict];
}

const char *report_actor_name(const struct report_finding *finding, const char *id)
{
	for (uint32_t i = 0; i < finding->actors_len; i++)
		if (strcmp(finding->actors[i].id, id) == 0)
			return finding->actors[i].name;
	return id;
}

static bool is_also(const struct report_finding *finding, uint32_t step)
{
	for (uint32_t i = 0; i < finding->order_also_len; i++)
		if (finding->order_also[i] == step)
			return true;
	return false;
}

void report_mark_order(struct report_finding *finding)
{
	for (uint32_t i = 0; i < finding->interleaving_len; i++) {
		struct report_event *event = &finding->interleaving[i];

		if (event->step < REPORT_BETWEEN)
			event->is_reversed = event->step == finding->order_first ||
					     event->step == finding->order_second || is_also(finding, event->step);
		else if (event->step == REPORT_NO_STEP && finding->order_actor)
			event->is_reversed = strcmp(event->actor, finding->order_actor) == 0;
	}
}

static bool has_function(const struct report_frame *frame)
{
	return frame->function && strcmp(frame->function, "?") != 0;
}

void report_add_place(struct strbuf *out, const struct report_frame *frame)
{
	if (frame->file && frame->line)
		strbuf_addf(out, "%s:%u", frame->file, frame->line);
	else if (frame->file)
		strbuf_adds(out, frame->file);
	else
		strbuf_adds(out, has_function(frame) ? frame->function : "an unknown place");
}

void report_add_place_of(struct strbuf *out, uint32_t kind, const struct report_frame *frame)
{
	if (kind == FINDING_EXIT && !frame->file && !has_function(frame))
		strbuf_adds(out, "the end of the program");
	else
		report_add_place(out, frame);
}

void report_add_where(struct strbuf *out, const struct report_finding *finding)
{
	static const struct report_frame unknown;

	report_add_place_of(out, finding->kind,
			    finding->sites_len ? &finding->sites[0].at : &unknown);
}

void report_add_count(struct strbuf *out, uint64_t n, const char *noun)
{
	strbuf_addf(out, "%" PRIu64 " %s%s", n, noun, PLURAL(n));
}

void report_add_runs(struct strbuf *out, const struct report *report)
{
	if (!report->executions && !report->sampled && report->spin_executions) {
		report_add_count(out, report->spin_executions, "run");
		strbuf_adds(out, " cut in a spin loop");
		return;
	}
	if (!report->executions && !report->sampled)
		strbuf_adds(out, "no complete run");
	if (report->executions)
		report_add_count(out, report->executions, "execution");
	if (report->executions && report->sampled)
		strbuf_adds(out, " and ");
	if (report->sampled)
		report_add_count(out, report->sampled, "sampled run");
}

void report_add_moving(struct strbuf *out, const struct report_finding *finding)
{
	strbuf_addf(out, "The program uses values that can differ from process to process (%s): if the "
		    "bug depends on them, it may not show again.", finding->moving);
}

void report_add_replay(struct strbuf *out, const char *before, const struct report_finding *finding)
{
	if (!finding->path)
		return;
	strbuf_addf(out, "%sfermata replay ", before);
	strbuf_add_shell(out, finding->path);
}

static void add_assumptions(struct strbuf *out, const struct report *report)
{
	for (uint32_t i = 0; i < report->assumptions_len; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "; assuming ", report->assumptions[i]);
}

uint32_t report_count_new(const struct report *report)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < report->findings_len; i++)
		count += !report->findings[i].is_known;
	return count;
}

/* "no new bug in any of 24 executions (strategy dpor); 1 known finding" */
static void add_known(struct strbuf *out, const struct report *report)
{
	strbuf_adds(out, report->complete ? "no new bug in any of " : "no new bug found in ");
	report_add_runs(out, report);
	strbuf_adds(out, "; ");
	report_add_count(out, report->findings_len, "known finding");
	if (!report->complete)
		strbuf_addf(out, "; not a proof: %s", report->reason);
}

static void add_interrupted(struct strbuf *out, const struct report *report)
{
	if (!report->executions && !report->sampled && !report->spin_executions) {
		bool has_reason = report->reason[0] && strcmp(report->reason, "interrupted") != 0;

		strbuf_addf(out, "interrupted before a run came to its end%s%s",
			    has_reason ? ": " : "", has_reason ? report->reason : "");
		return;
	}
	strbuf_adds(out, "interrupted: no bug found in ");
	report_add_runs(out, report);
}

static void add_bug(struct strbuf *out, const struct report_finding *finding)
{
	strbuf_addf(out, "bug: %s at ", finding_kind_text(finding->kind));
	report_add_where(out, finding);
	if (finding->patient)
		strbuf_adds(out, " (depends on sleeping: see --timeouts idle)");
	report_add_replay(out, "; replay: ", finding);
}

void report_verdict_line(const struct report *report, struct strbuf *out)
{
	bool is_weak = report->memory && report->memory[0];

	strbuf_adds(out, "fermata: ");
	switch (report->verdict) {
	case REPORT_PROVED:
		strbuf_addf(out, "proved%s%s%s: no bug in any of ", is_weak ? " under " : "",
			    is_weak ? report->memory : "", report->certified ? ", certified" : "");
		report_add_count(out, report->executions, "execution");
		strbuf_addf(out, " (strategy %s%s%s)", report->strategy,
			    report->equivalence ? ", --equivalence " : "",
			    report->equivalence ? report->equivalence : "");
		add_assumptions(out, report);
		break;
	case REPORT_NO_BUG_FOUND:
		strbuf_adds(out, "no bug found in ");
		report_add_runs(out, report);
		strbuf_addf(out, "; not a proof: %s", report->reason);
		break;
	case REPORT_KNOWN:
		add_known(out, report);
		break;
	case REPORT_INTERRUPTED:
		add_interrupted(out, report);
		break;
	case REPORT_BUG:
		for (uint32_t i = 0; i < report->findings_len; i++)
			if (!report->findings[i].is_known) {
				add_bug(out, &report->findings[i]);
				break;
			}
		break;
	case REPORT_LOST_CONTROL:
		strbuf_addf(out, "lost control: %s", report->reason);
		break;
	default:
		break;
	}
	if (report->remembered)
		strbuf_addf(out, "; remembered: %s", report->remembered);
}

/* XML cannot hold control characters other than tab and newline: they are replaced. */
static void add_xml_byte(struct strbuf *out, char c)
{
	switch (c) {
	case '&':
		strbuf_adds(out, "&amp;");
		break;
	case '<':
		strbuf_adds(out, "&lt;");
		break;
	case '>':
		strbuf_adds(out, "&gt;");
		break;
	case '"':
		strbuf_adds(out, "&quot;");
		break;
	default:
		if (((unsigned char)c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
			strbuf_adds(out, "\xef\xbf\xbd");
		else
			strbuf_addc(out, c);
	}
}

/* The length of the well-formed UTF-8 sequence at text, or 0. */
static size_t utf8_length(const unsigned char *text, size_t len)
{
	size_t need = text[0] < 0x80 ? 1 : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
		: text[0] >= 0xe0 && text[0] < 0xf0 ? 3 : text[0] >= 0xf0 && text[0] < 0xf5 ? 4 : 0;

	if (need == 0 || need > len)
		return 0;
	for (size_t i = 1; i < need; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
		return 0;
	return need;
}

void report_add_xml(struct strbuf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t one = utf8_length((const unsigned char *)text + i, len - i);

		if (one == 0 || (one > 1 && !harmless_is(text + i, one, true)))
			strbuf_adds(out, "\xef\xbf\xbd");
		else if (one == 1)
			add_xml_byte(out, text[i]);
		else
			strbuf_add(out, text + i, one);
		i += one ? one : 1;
	}
}

void report_add_xmls(struct strbuf *out, const char *text)
{
	report_add_xml(out, text, strlen(text));
}

bool report_wants_colour(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

enum { NARROWEST_TERMINAL = 60, WIDEST_TERMINAL = 240 };

static uint32_t terminal_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (columns && atoi(columns) > 0)
		return (uint32_t)atoi(columns);
	if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0)
		return size.ws_col;
	return 0;
}

struct report_style report_style_for(int fd)
{
	uint32_t width = terminal_width(fd);

	if (width && width < NARROWEST_TERMINAL)
		width = NARROWEST_TERMINAL;
	if (width > WIDEST_TERMINAL)
		width = WIDEST_TERMINAL;
	return (struct report_style){.colour = report_wants_colour(fd), .width = width};
}

void report_add_patient(struct strbuf *out, const struct report_finding *finding)
{
	strbuf_addf(out,
		    "Depends on sleeping: the test sleeps while others work, and fails if its sleep ends "
		    "before they have done so. In %u schedules with sleeps that last until nothing else can "
		    "happen it did not fail; --timeouts idle explores only such schedules.",
		    finding->patient);
}

void report_add_always(struct strbuf *out, const struct report_finding *finding)
{
	if (finding->always == 1)
		strbuf_adds(out, "Fails in every order of the steps (a separate search looked for others): "
				 "not a timing bug");
	else if (finding->shown == finding->always)
		strbuf_addf(
			out,
			"Fails in every schedule (a separate search ran all %u): not a timing bug",
			finding->always);
	else
		strbuf_addf(
			out,
			"The test fails in every schedule (a separate search ran all %u), in %u of "
			"them with this finding (--keep-going shows the others)",
			finding->always, finding->shown);
	if (finding->always_assuming)
		strbuf_addf(out, "; assuming %s", finding->always_assuming);
	strbuf_addc(out, '.');
}
