/* limit.h: limits of the system (ulimit) in words, because "Cannot allocate memory" alone does not
 * say that a limit was set. */
#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

/* The limit that can be the reason for this errno, if one is set: " (the limit of open files is 64:
 * ulimit -n)"; "" if none is. */
void limit_of_errno(int error, char *text, size_t room);

/* The limit of one resource (RLIMIT_AS …) if one is set: "the limit of open files is 64: ulimit -n".
 * False if the resource is not limited. */
bool limit_of_resource(int resource, char *text, size_t room);

#endif
