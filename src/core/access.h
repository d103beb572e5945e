/* access.h: what an event does to an object, and which accesses do not commute.
 *
 * Independence is data, not code: the table access.def says for each pair of modes
 * whether the two commute, and for each ordered pair whether the first merely
 * enables the second. Strategies, the follower and the detectors ask only this
 * file; none of them knows what a mutex is.
 *
 * To add a mode: one line in access.def, and its name in the lines it conflicts
 * with. access_check_table() (a unit test) refuses an asymmetric table.
 *
 * Everything here is inline and free of libc, because the follower that uses it
 * runs inside the tested program.
 */
#ifndef CORE_ACCESS_H
#define CORE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

enum access_mode {
#define MODE(name, text, conflicts, enables) ACCESS_##name,
#include "core/access.def"
#undef MODE
	ACCESS_MODES
};

struct access {
	uint64_t object; /* see object.h; 0 only for ACCESS_WORLD */
	uint32_t mode;   /* enum access_mode */
	uint32_t size;   /* bytes, for memory; else 0 */
};

#define M(name) (1u << ACCESS_##name)
static const uint32_t access_conflicts[ACCESS_MODES] = {
#define MODE(name, text, conflicts, enables) [ACCESS_##name] = (conflicts) | 1u << ACCESS_WORLD,
#include "core/access.def"
#undef MODE
};
static const uint32_t access_enables[ACCESS_MODES] = {
#define MODE(name, text, conflicts, enables) [ACCESS_##name] = (enables),
#include "core/access.def"
#undef MODE
};
#undef M

/* Do two accesses to the same object conflict? */
static inline bool access_modes_conflict(uint32_t a, uint32_t b)
{
	return access_conflicts[a] >> b & 1;
}

/* Does `first` merely open the door for `later`? */
static inline bool access_mode_enables(uint32_t first, uint32_t later)
{
	return access_enables[first] >> later & 1;
}

static inline bool access_conflict(const struct access *a, const struct access *b)
{
	if (a->mode == ACCESS_WORLD || b->mode == ACCESS_WORLD)
		return true;
	return a->object == b->object && access_modes_conflict(a->mode, b->mode);
}

const char *access_mode_text(uint32_t mode);

/* True when the conflict relation of the table is symmetric. For the unit test. */
bool access_check_table(void);

#endif
