#include "cli/search/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LINE_START "\r"
#define REST_OF_LINE_EMPTY "\033[K"

enum { WIDTH = 80 };

static int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : WIDTH;
}

void progress_show(struct progress *p, const char *text)
{
	static const char name[] = "fermata: ";

	p->is_shown = isatty(STDERR_FILENO);
	if (p->is_shown)
		fprintf(stderr, LINE_START "%s%.*s" REST_OF_LINE_EMPTY, name,
			terminal_width() - (int)sizeof(name), text);
	else
		fprintf(stderr, "%s%s\n", name, text);
	fflush(stderr);
}

void progress_clear(struct progress *p)
{
	if (p->is_shown)
		fputs(LINE_START REST_OF_LINE_EMPTY, stderr);
	p->is_shown = false;
}

/* Do the last estimates agree? */
static bool converges(struct progress *p, double estimate)
{
	enum { LEN = sizeof(p->estimates) / sizeof(p->estimates[0]) };
	double least = estimate, most = estimate;

	p->estimates[p->estimates_len++ % LEN] = estimate;
	for (unsigned i = 0; i < LEN && i < p->estimates_len; i++) {
		least = p->estimates[i] < least ? p->estimates[i] : least;
		most = p->estimates[i] > most ? p->estimates[i] : most;
	}
	return p->estimates_len >= LEN && most <= least * 1.5;
}

double progress_estimate(struct progress *p, uint64_t executions, double done)
{
	double estimate = (double)executions / done;

	p->done = done;
	p->estimate = done > 0 && done < 1 && converges(p, estimate) ? estimate : 0;
	return p->estimate;
}
