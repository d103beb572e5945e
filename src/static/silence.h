/* silence.h: removes suspects that a user has reviewed already.
 *
 * A suppression file has one rule per line; "#" starts a comment:
 *
 *     ets   my_module:inc/1      kind and function; either may be "*", the function's
 *     *     my_module:*          name too
 *     id    0123456789abcdef     the id that the report prints
 *
 * A rule silences a suspect whose read, write or meeting function it names. A baseline is a
 * report in JSON: every suspect in it is silenced, so that only new ones are shown. A comment in
 * the source accepts one where it is (comment.c).
 */
#ifndef STATIC_SILENCE_H
#define STATIC_SILENCE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "static/suspect.h"

/* Both drop the silenced suspects from found, in place. A rule that none fits gets a line in
 * warnings: the race is gone, or the rule has a mistake. */
bool silence_by_file(struct suspects *found, const char *path, struct strbuf *warnings,
		     struct err *err);
bool silence_by_baseline(struct suspects *found, const char *path, struct err *err);

/* Moves suspects to found->ignored whose read or write has a comment "fermata-ignore: REASON" on
 * its line or, alone, on the line above. */
void silence_by_comments(struct suspects *found, struct arena *arena);

#endif
