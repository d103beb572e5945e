#include "cli/search/stopping.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cli/exits.h"
#include "vm/vm.h"

/* The loops look at the clock between two runs and so end in time by themselves. The timer is for
 * a run that does not end, and leaves them this much. */
static const double GRACE_SECONDS = 0.2;

/* After the time is over: when a step of the Erlang machine is left that has not come back, how
 * often that is tried, and when the tool ends without a report. A native program is watched by
 * other means, and a finding of it may still have to be confirmed, which takes some seconds. */
enum { LEAVE_MS = 500, AGAIN_MS = 50, TRIES_MAX = 20, TRIES_MAX_NATIVE = 1200 };
/* On a busy machine a step that needs half a second takes longer. So the step is left only when the tool has
 * used that much CPU time since the time was over, or after this many looks, if the step waits for a program
 * outside and uses none. */
enum { LEAVE_LOOKS = 50 };
/* On a busy machine the search may not get the time to come back: a try counts only if the tool has
 * used this much CPU time since the one before, or after so many that did not count. */
enum { WORKED_MS = 20, WAITED_MAX = 400 };

volatile sig_atomic_t stop_wanted;
static volatile sig_atomic_t stop_tries, stop_tries_max = TRIES_MAX_NATIVE;
static volatile sig_atomic_t stop_has_bug, stop_is_held, stop_waited;
/* Of the handler only: CPU time of the tool when a try counted last, and when the time was over. */
static long stop_cpu_ms, stop_over_cpu_ms;
static int stop_looks;

void stop_expect_machine(void)
{
	stop_tries_max = TRIES_MAX;
}

static void set_timer(long ms, long again_ms)
{
	struct itimerval timer = {.it_value = {ms / 1000, ms % 1000 * 1000},
				  .it_interval = {again_ms / 1000, again_ms % 1000 * 1000}};

	setitimer(ITIMER_REAL, &timer, NULL);
}

sigjmp_buf stop_point;
static volatile sig_atomic_t stop_has_point;

void stop_use_point(bool is_used)
{
	stop_has_point = is_used;
}

/* Leaves the search for a report without it. Not in the middle of an allocation, and not if there
 * are findings: the report would not have them, but they are saved. */
static void leave_search(void)
{
	sigset_t blocked;

	if (!stop_has_point || stop_has_bug || mem_is_busy())
		return;
	stop_has_point = 0;
	set_timer(0, 0);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &blocked, NULL);
	siglongjmp(stop_point, 1);
}

void stop_hold(bool is_held)
{
	stop_is_held = is_held;
	stop_tries = 0;
}

void stop_note_bug(void)
{
	stop_has_bug = 1;
}

void stop_disarm(void)
{
	set_timer(0, 0);
}

/* Ends the tool with a last line. Only calls that are allowed in a signal handler. */
static _Noreturn void end_with(const char *line, int status)
{
	ssize_t written = write(STDOUT_FILENO, line, strlen(line));

	(void)written;
	_exit(status);
}

/* The tool itself does not come back. Findings are saved already. */
static _Noreturn void end_at_once(void)
{
	if (stop_has_bug)
		end_with("\nfermata: bug: the findings are saved; the search did not come back when "
			 "the time was over (--max-time)\n", EXIT_BUG);
	if (stop_wanted == STOP_TIME)
		end_with("\nfermata: lost control: the search did not come back when the time was "
			 "over (--max-time)\n", EXIT_LOST);
	end_with("\nfermata: interrupted: the search did not come back\n", EXIT_INTERRUPTED);
}

/* The tool has used all CPU time that it may. Findings are saved already. */
static _Noreturn void end_at_cpu_limit(void)
{
	if (stop_has_bug)
		end_with("\nfermata: bug: the findings are saved; the limit of CPU time ended the "
			 "search: ulimit -t\n", EXIT_BUG);
	end_with("\nfermata: lost control: the limit of CPU time ended the search: ulimit -t\n",
		 EXIT_LOST);
}

/* ulimit -t sets the limit at which the kernel kills without a word together with the one at which
 * it warns. The warning comes a second earlier, for the tool and for the program. */
static void be_warned_of_cpu_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur < limit.rlim_max || limit.rlim_cur < 2)
		return;
	limit.rlim_cur--;
	setrlimit(RLIMIT_CPU, &limit);
}

static long cpu_ms(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (long)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

static bool has_worked(void)
{
	long now = cpu_ms();

	if (now - stop_cpu_ms < WORKED_MS && stop_waited < WAITED_MAX) {
		stop_waited++;
		return false;
	}
	stop_cpu_ms = now;
	return true;
}

static bool may_leave_step(void)
{
	return cpu_ms() - stop_over_cpu_ms >= LEAVE_MS || ++stop_looks > LEAVE_LOOKS;
}

static void on_signal(int number)
{
	if (number == SIGXCPU)
		end_at_cpu_limit();
	if (stop_wanted && number == SIGINT)
		_exit(EXIT_INTERRUPTED);
	if (!stop_wanted) {
		stop_wanted = number == SIGALRM ? STOP_TIME : STOP_INTERRUPTED;
		stop_cpu_ms = stop_over_cpu_ms = cpu_ms();
		set_timer(LEAVE_MS, AGAIN_MS);
	} else if (number == SIGALRM && stop_wanted != STOP_DONE) {
		int max = stop_is_held ? TRIES_MAX_NATIVE : stop_tries_max;

		if (!stop_is_held && !may_leave_step())
			return;
		stop_tries += max != TRIES_MAX || has_worked();
		if (stop_tries > max)
			leave_search();
		if (stop_tries > 2 * max)
			end_at_once();
		if (!stop_is_held)
			vm_interrupt(stop_wanted == STOP_TIME ? "the time is over (--max-time), and "
						    : "");
	}
}

double stop_catch_signals(double max_seconds)
{
	struct sigaction action = {.sa_handler = on_signal};

	/* One at a time and in their order: a SIGINT that were handled inside the handler of SIGTERM
	 * would count as a second Ctrl-C. */
	sigaddset(&action.sa_mask, SIGINT);
	sigaddset(&action.sa_mask, SIGTERM);
	sigaddset(&action.sa_mask, SIGHUP);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (signal(SIGHUP, SIG_IGN) != SIG_IGN) /* as nohup leaves it */
		sigaction(SIGHUP, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGXCPU, &action, NULL);
	be_warned_of_cpu_limit();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of file sizes fails instead */
	if (max_seconds > 0)
		set_timer((long)((max_seconds + GRACE_SECONDS) * 1000), 0);
	return clock_seconds();
}
