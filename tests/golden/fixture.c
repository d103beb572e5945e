#include "fixture.h"

#include "core/finding.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

static const struct report_frame deposit_stack[] = {
	{"deposit", "examples/bank.c", 14},
	{"teller", "examples/bank.c", 23},
	{"start_thread", NULL, 0},
};

static const char *const locks[] = {"log_lock (locked at examples/bank.c:12)"};

static const struct report_site race_sites[] = {
	{.actor = "P1.1", .role = "writes balance", .at = {"deposit", "examples/bank.c", 14},
	 .step = 3, .frames = deposit_stack, .frames_len = COUNT(deposit_stack), .locks = locks,
	 .locks_len = 1},
	{.actor = "P1.2", .role = "reads balance", .at = {"audit", "examples/bank.c", 31},
	 .step = 4},
};

static const char *const race_columns[] = {"P1", "P1.1", "P1.2"};

static struct report_event race_events[] = {
	{.step = 0, .actor = "P1", .column = 0, .text = "create P1.1",
	 .file = "examples/bank.c", .line = 40,
	 .source = "pthread_create(&tellers[0], NULL, teller, NULL);"},
	{.step = 1, .actor = "P1", .column = 0, .text = "create P1.2",
	 .file = "examples/bank.c", .line = 41,
	 .source = "pthread_create(&tellers[1], NULL, auditor, NULL);"},
	{.step = 2, .actor = "P1.1", .column = 1, .text = "lock log_lock",
	 .file = "examples/bank.c", .line = 12, .source = "pthread_mutex_lock(&log_lock);",
	 .is_preemption = true},
	{.step = 3, .actor = "P1.1", .column = 1, .text = "write balance = 110",
	 .file = "examples/bank.c", .line = 14, .source = "balance = balance + amount;",
	 .is_culprit = true},
	{.step = 4, .actor = "P1.2", .column = 2, .text = "read balance = 110",
	 .file = "examples/bank.c", .line = 31,
	 .source = "if (balance < 0 && strcmp(\"<&>\", name)) /* a long line that must be cut */",
	 .is_culprit = true},
	{.step = 5, .actor = "P1.2", .column = 2, .text = "exit 3 from a very long description "
							   "that is wider than its column"},
};

static const char *const dining_columns[] = {"P1", "P1.1", "P1.2", "P1.3", "P1.4", "P1.4/timer1"};

static struct report_event dining_events[] = {
	{.step = 0, .actor = "P1.1", .column = 1, .text = "lock fork[0]", .file = "dine.c",
	 .line = 9, .source = "lock(left);"},
	{.step = 1, .actor = "P1.1", .column = 1, .text = "unlock fork[0]", .file = "dine.c",
	 .line = 9, .source = "lock(left);"},
	{.step = 2, .actor = "P1.4/timer1", .column = 5, .text = "timer"},
	{.step = REPORT_NO_STEP, .actor = "P1.1", .column = 1, .text = "lock fork[1]",
	 .file = "dine.c", .line = 10, .source = "lock(right);"},
};

static const struct report_site dining_sites[] = {
	{.actor = "P1.1", .role = "holds fork[0], waits for fork[1]", .at = {"dine", NULL, 0},
	 .step = REPORT_NO_STEP},
};

static struct report_finding findings[] = {
	{.kind = FINDING_RACE,
	 .message = "P1.1 writes balance (4 bytes) while P1.2 reads it, and nothing orders the "
		    "two: no lock that both hold, no atomic, no join in between.",
	 .fingerprint = 0x00ab12cd34ef5678, .executions_before = 1, .events = 6, .preemptions = 1,
	 .path = ".fermata/00ab12cd34ef5678", .sites = race_sites, .sites_len = COUNT(race_sites),
	 .columns = race_columns, .columns_len = COUNT(race_columns), .interleaving = race_events,
	 .interleaving_len = COUNT(race_events), .output = "hello <world>\n\033[31mred\377",
	 .output_len = 23},
	{.kind = FINDING_DEADLOCK, .message = "P1.1 waits for itself.", .fingerprint = 7,
	 .executions_before = 12, .events = 3, .sites = dining_sites,
	 .sites_len = COUNT(dining_sites), .columns = dining_columns,
	 .columns_len = COUNT(dining_columns), .interleaving = dining_events,
	 .interleaving_len = COUNT(dining_events)},
};

static const char *const warnings[] = {"the program called getpid(), which is not controlled"};
static const char *const assumptions[] = {
	"sequential consistency",
	"timeouts of 1000 ms and more only when idle",
};

struct report *fixture_bugs(void)
{
	static struct report report;

	report = (struct report){
		.verdict = REPORT_BUG, .program = "./bank --tellers 2", .reason = "",
		.warnings = warnings, .warnings_len = COUNT(warnings), .strategy = "dpor",
		.seed = 42, .executions = 13, .blocked_executions = 2, .spin_executions = 1,
		.steps = 91, .wall_seconds = 0.25, .cpu_seconds = 0.5, .peak_rss_kb = 2048,
		.restart = "fork", .restart_reason = "the program opened a file",
		.findings = findings, .findings_len = COUNT(findings),
	};
	return &report;
}

struct report *fixture_proved(void)
{
	static struct report report;

	report = (struct report){
		.verdict = REPORT_PROVED, .complete = true, .program = "./bank", .reason = "",
		.not_certified = "more than 200 executions",
		.assumptions = assumptions, .assumptions_len = COUNT(assumptions),
		.strategy = "dpor", .seed = 1, .executions = 256, .steps = 4096,
		.wall_seconds = 0.5, .cpu_seconds = 0.5, .peak_rss_kb = 4096,
		.restart = "restore", .restart_reason = "",
	};
	return &report;
}

struct report *fixture_no_bug(void)
{
	struct report *report = fixture_proved();

	report->verdict = REPORT_NO_BUG_FOUND;
	report->complete = false;
	report->strategy = "random";
	report->reason = "strategy random never is one";
	return report;
}

struct report *fixture_lost(void)
{
	struct report *report = fixture_proved();

	report->verdict = REPORT_LOST_CONTROL;
	report->reason = "step 7 differed when the run was repeated (after getrandom)";
	return report;
}
