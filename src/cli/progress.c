#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#define LINE_START "\r"
#define REST_OF_LINE_EMPTY "\033[K"

void progress_begin(struct progress *p)
{
	fprintf(stderr, "%sfermata: ", isatty(STDERR_FILENO) ? LINE_START : "");
}

void progress_end(struct progress *p)
{
	p->is_shown = isatty(STDERR_FILENO);
	fputs(p->is_shown ? REST_OF_LINE_EMPTY : "\n", stderr);
	fflush(stderr);
}

void progress_clear(struct progress *p)
{
	if (p->is_shown)
		fputs(LINE_START REST_OF_LINE_EMPTY, stderr);
	p->is_shown = false;
}

bool progress_converges(struct progress *p, double estimate)
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
