#include "cli/stopping.h"

#include <sys/time.h>
#include <unistd.h>

#include "cli/exits.h"

/* The loops look at the clock between two runs and so end in time by themselves. The timer is for
 * a run that does not end, and leaves them this much. */
static const double GRACE_SECONDS = 0.2;

volatile sig_atomic_t stop_wanted;

static void on_signal(int number)
{
	if (stop_wanted && number == SIGINT)
		_exit(EXIT_INTERRUPTED);
	if (!stop_wanted)
		stop_wanted = number == SIGALRM ? STOP_TIME : STOP_INTERRUPTED;
}

void stop_catch_signals(double max_seconds)
{
	struct sigaction action = {.sa_handler = on_signal};
	double seconds = max_seconds + GRACE_SECONDS;
	struct itimerval limit = {
		.it_value = {.tv_sec = (time_t)seconds,
			     .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit of file sizes fails instead */
	if (max_seconds > 0)
		setitimer(ITIMER_REAL, &limit, NULL);
}
