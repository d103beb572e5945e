/* access.h: what an event does to an object, and which accesses do not commute.
 *
 * Independence is data, not code: the table access.def says for each pair of modes
 * whether the two commute, and for each ordered pair whether the first merely opens
 * the door for the second, or feeds it. Strategies, the follower and the detectors ask only this
 * file; none of them knows what a mutex is.
 *
 * To add a mode: one line in access.def, and its name in the lines it conflicts
 * with. A unit test (tests/unit/engine/access.c) refuses an asymmetric table.
 *
 * Everything here is inline and free of libc, because the follower that uses it
 * runs inside the tested program.
 */
#ifndef CORE_ACCESS_H
#define CORE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

enum access_mode {
#define MODE(name, text, family, conflicts, opens, feeds) ACCESS_##name,
#include "core/access.def"
#undef MODE
	ACCESS_MODES
};

enum access_family {
	ACCESS_FAMILY_MEMORY,
	ACCESS_FAMILY_LOCK,
	ACCESS_FAMILY_QUEUE,
	ACCESS_FAMILY_WAIT,
	ACCESS_FAMILY_MAIL,
	ACCESS_FAMILY_LIFE,
	ACCESS_FAMILY_WORLD,
};

struct access {
	uint64_t object; /* see object.h; 0 only for ACCESS_WORLD */
	uint16_t mode;   /* enum access_mode: what happened (or, before that, is announced) */
	uint16_t announced; /* what was announced: never weaker; set when the step is taken */
	uint32_t size;   /* bytes, for memory; STORE: hash of the value; mail: MAIL_TAG; else 0 */
};

/* One row of the table. */
struct access_rule {
	uint32_t family;
	uint32_t conflicts, opens, feeds; /* sets of modes */
};

#define M(name) (1u << ACCESS_##name)
static const struct access_rule access_rules[ACCESS_MODES] = {
#define MODE(name, text, family, conflicts, opens, feeds)                      \
	[ACCESS_##name] = {ACCESS_FAMILY_##family, (conflicts) | M(WORLD), opens, feeds},
#include "core/access.def"
#undef MODE
};
#undef M

/* Do two accesses to the same object conflict? */
static inline bool access_modes_conflict(uint32_t a, uint32_t b)
{
	return access_rules[a].conflicts >> b & 1;
}

static inline bool access_conflict(const struct access *a, const struct access *b)
{
	if (a->mode == ACCESS_WORLD || b->mode == ACCESS_WORLD)
		return true;
	return a->object == b->object && access_modes_conflict(a->mode, b->mode) &&
	       !(a->mode == ACCESS_STORE && b->mode == ACCESS_STORE && a->size == b->size);
}

static inline bool access_is_mail(const struct access *access)
{
	return access_rules[access->mode].family == ACCESS_FAMILY_MAIL;
}

/* What is known of a message or a receive when the run is over: its group, from 1, within which
 * receives can tell messages apart, and whether it is a message that nobody took. */
#define MAIL_TAG(group, is_left) ((group) << 1 | (is_left))

static inline bool access_is_of_group(const struct access *a, const struct access *b)
{
	return a->size && a->size >> 1 == b->size >> 1;
}

/* Of two accesses that conflict and happened in one finished run, a before b: could anybody tell
 * in which order? Only for messages is there a difference: who took the first might have taken the
 * second, and if nobody took it, nobody would have. Who is ended while waiting might have taken
 * what comes later; what had come by then was not for him. He is ended once (then it has a tag). */
static inline bool access_matters(const struct access *a, const struct access *b)
{
	if (!access_is_mail(a) || a->mode == ACCESS_LOOK || b->mode == ACCESS_LOOK ||
	    b->mode == ACCESS_WORLD)
		return true;
	if (a->mode == ACCESS_SEND && (b->mode == ACCESS_STOP ||
				       (b->mode == ACCESS_SEND && (a->size & 1))))
		return false;
	if (a->mode == ACCESS_STOP && b->mode == ACCESS_STOP)
		return a->size != 0;
	return access_is_of_group(a, b);
}

const char *access_mode_text(uint32_t mode); /* for people: "acquire" */

/* Does it conflict with every mode of its family? Then it is ordered after everything
 * that happened to the object before. */
bool access_mode_dominates(uint32_t mode);

#endif
