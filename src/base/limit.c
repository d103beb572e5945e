#include "base/limit.h"

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

static const struct {
	int resource;
	int error;        /* of a call that meets the limit */
	unsigned divisor; /* ulimit counts in units of so many bytes */
	const char *unit; /* behind the number */
	const char *word, *option;
} limits[] = {
	{RLIMIT_AS, ENOMEM, 1024, " kB", "address space", "-v"},
	{RLIMIT_DATA, ENOMEM, 1024, " kB", "data", "-d"},
	{RLIMIT_FSIZE, EFBIG, 1024, " kB", "the size of a file", "-f"},
	{RLIMIT_NOFILE, EMFILE, 1, "", "open files", "-n"},
	{RLIMIT_NPROC, EAGAIN, 1, "", "processes", "-u"},
	{RLIMIT_STACK, 0, 1024, " kB", "the stack", "-s"},
	{RLIMIT_CPU, 0, 1, " s", "CPU time", "-t"},
};

enum { LIMITS = sizeof(limits) / sizeof(limits[0]) };

static bool add(size_t at, const char *before, const char *after, char *text, size_t room)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)limits[at].resource, &limit) != 0 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return false;
	snprintf(text, room, "%sthe limit of %s is %lu%s: ulimit %s%s", before, limits[at].word,
		 (unsigned long)limit.rlim_cur / limits[at].divisor, limits[at].unit,
		 limits[at].option, after);
	return true;
}

void limit_of_errno(int error, char *text, size_t room)
{
	if (room)
		text[0] = '\0';
	for (size_t i = 0; i < LIMITS; i++)
		if (error && limits[i].error == error && add(i, " (", ")", text, room))
			return;
}

bool limit_of_resource(int resource, char *text, size_t room)
{
	for (size_t i = 0; i < LIMITS; i++)
		if (limits[i].resource == resource)
			return add(i, "", "", text, room);
	return false;
}
