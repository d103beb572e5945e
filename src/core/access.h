/* access.h: an object and how an event touches it.
 *
 * An access is plain data. Whether two accesses commute is asked in dependence.h.
 *
 * To add a mode: one line in access.def, one rule in dependence.def, and its name in
 * the rules of the modes it conflicts with. A unit test (tests/unit/engine/access.c)
 * fails if the table of rules is not symmetric or a mode has no rule.
 *
 * The functions are inline and do not use libc, because the follower calls them inside
 * the tested program.
 */
#ifndef CORE_ACCESS_H
#define CORE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

enum access_mode {
#define MODE(name, text, family) ACCESS_##name,
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
	uint32_t detail; /* depends on the mode: access_bytes, _lock_bytes, _value, _parts, _mail_tag */
};

static inline enum access_family access_family(uint32_t mode)
{
	static const uint8_t families[ACCESS_MODES] = {
#define MODE(name, text, family) [ACCESS_##name] = ACCESS_FAMILY_##family,
#include "core/access.def"
#undef MODE
	};

	return (enum access_family)families[mode];
}

static inline bool access_is_mail(const struct access *access)
{
	return access_family(access->mode) == ACCESS_FAMILY_MAIL;
}

/* ---- groups of modes ---- */

/* Does the mode take a lock? */
static inline bool access_mode_locks(uint32_t mode)
{
	return mode == ACCESS_ACQUIRE || mode == ACCESS_SHARE;
}

/* Does the mode wait for a lock, to take it or to find it free? */
static inline bool access_mode_needs_lock(uint32_t mode)
{
	return access_mode_locks(mode) || mode == ACCESS_PASS;
}

/* Does the mode give a lock back? */
static inline bool access_mode_unlocks(uint32_t mode)
{
	return mode == ACCESS_RELEASE || mode == ACCESS_UNSHARE;
}

/* Does the mode change a variable? */
static inline bool access_mode_writes(uint32_t mode)
{
	return mode == ACCESS_WRITE || mode == ACCESS_ADD || mode == ACCESS_STORE ||
	       mode == ACCESS_FILL;
}

/* ---- the detail, by mode ---- */

/* How many bytes of memory the access covers; 0 if it is not an access to memory. */
static inline uint32_t access_bytes(const struct access *access)
{
	return access_family(access->mode) == ACCESS_FAMILY_MEMORY && access->mode != ACCESS_STORE
		       ? access->detail : 0;
}

static inline void access_set_bytes(struct access *access, uint32_t bytes)
{
	access->detail = bytes;
}

/* Of an access to a lock: how many bytes the lock has; 0 if it is not in the program's memory or its size
 * is not known. */
static inline uint32_t access_lock_bytes(const struct access *access)
{
	return access_family(access->mode) == ACCESS_FAMILY_LOCK ? access->detail : 0;
}

/* Of a STORE: a hash of the value that is written. */
static inline uint32_t access_value(const struct access *access)
{
	return access->mode == ACCESS_STORE ? access->detail : 0;
}

static inline void access_set_value(struct access *access, uint32_t value)
{
	access->detail = value;
}

/* Of a USE, an ADD or a FILL: the parts of the object (the keys of a table) that it touches, a bit
 * for each, which several parts may share. Where no parts were set, all are touched. */
static inline uint32_t access_parts(const struct access *access)
{
	return ~access->detail;
}

static inline void access_set_parts(struct access *access, uint32_t parts)
{
	access->detail = ~parts;
}

/* Of two accesses to one object, one of them a FILL: do they touch different parts of it? */
static inline bool access_are_apart(const struct access *a, const struct access *b)
{
	uint32_t modes = 1u << ACCESS_USE | 1u << ACCESS_ADD | 1u << ACCESS_FILL;

	return (a->mode == ACCESS_FILL || b->mode == ACCESS_FILL) && (modes >> a->mode & 1) &&
	       (modes >> b->mode & 1) && !(access_parts(a) & access_parts(b));
}

/* Of an access to a mailbox, when the run is over, three facts in one number (the mail tag; 0: not
 * known):
 *   group  from 1: receives can distinguish messages within a group only;
 *   left   of a message: no receive took it;
 *   polls  of a receive that took nothing: its bit, which later ones at its place in the code share
 *          where there is no room; of a message that came later: the bits of the receives that
 *          would have taken it.
 *     P: receive stop -> … after 0 -> … end     bit 1
 *     A: P ! stop                               bit 1: the two depend
 *     A: P ! {work, 1}                          no bit: independent of the poll, though a receive
 *                                               that takes both messages puts them into one group
 */
enum { MAIL_POLL_BITS = 12, MAIL_GROUP_SHIFT = 1 + MAIL_POLL_BITS };
enum { MAIL_GROUPS = (1 << (32 - MAIL_GROUP_SHIFT)) - 1 };

static inline uint32_t access_mail_tag(const struct access *access)
{
	return access_is_mail(access) ? access->detail : 0;
}

static inline void access_set_mail_tag(struct access *access, uint32_t tag)
{
	access->detail = tag;
}

/* Groups beyond the room for their number fall together, which is coarser and safe. */
static inline uint32_t mail_tag(uint32_t group, bool is_left)
{
	return (group ? (group - 1) % MAIL_GROUPS + 1 : 0) << MAIL_GROUP_SHIFT | is_left;
}

/* polls: a set of MAIL_POLL_BITS bits. */
static inline uint32_t mail_tag_with_polls(uint32_t tag, uint32_t polls)
{
	return tag | polls << 1;
}

static inline uint32_t access_polls(const struct access *access)
{
	return access_mail_tag(access) >> 1 & ((1u << MAIL_POLL_BITS) - 1);
}

static inline bool access_is_left(const struct access *access)
{
	return access_mail_tag(access) & 1;
}

/* Are both tags known, and of one group? */
static inline bool access_is_same_group(const struct access *a, const struct access *b)
{
	return a->detail && a->detail >> MAIL_GROUP_SHIFT == b->detail >> MAIL_GROUP_SHIFT;
}

/* Both tags are known. Would the poll have taken the message? */
static inline bool access_would_take(const struct access *poll, const struct access *message)
{
	return access_polls(poll) ? access_polls(poll) & access_polls(message)
				  : access_is_same_group(poll, message);
}

static inline bool access_has_same_detail(const struct access *a, const struct access *b)
{
	return a->detail == b->detail;
}

const char *access_mode_text(uint32_t mode); /* for people: "acquire" */

#endif
