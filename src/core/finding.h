/* finding.h: a bug that was found: its kind, its places, and all that a replay needs.
 *
 * Detectors fill in kind, message, sites and object from one trace; the explorer
 * confirms the finding by a replay, shortens its schedule, and saves it. The fingerprint
 * distinguishes bugs: it is made of the kind and the code sites, never of the schedule, so
 * that the same bug found twice is reported once.
 */
#ifndef CORE_FINDING_H
#define CORE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/trace.h"

enum finding_kind {
#define FINDING(name, text, sentence) FINDING_##name,
#include "core/finding.def"
#undef FINDING
	FINDING_KINDS
};

enum { FINDING_SITES = 8 };

/* One place in the program that belongs to the bug. */
struct finding_site {
	uint64_t site;     /* code address (the target turns it into file and line) */
	uint32_t actor;
	uint32_t step;     /* index of the event there, or UINT32_MAX */
	char role[96];     /* "reads", "holds m, waits for n" … */
};

struct finding {
	uint32_t kind; /* enum finding_kind */
	char message[512]; /* one sentence: the bug */
	uint64_t fingerprint;
	uint64_t object;   /* the object of the bug; 0: it has no object */
	struct finding_site sites[FINDING_SITES];
	uint32_t sites_len;
	uint64_t executions_before; /* runs of the search before the run that showed it */
	uint64_t least;    /* of a leak: how many blocks of the site another run leaves */
};

const char *finding_kind_text(uint32_t kind);
const char *finding_kind_sentence(uint32_t kind);
uint32_t finding_kind_named(const char *text); /* FINDING_KINDS if no kind has that text */

/* Does the program fail at one place, so that another line is another bug? A race or a deadlock has
 * several places: the same bug shows at other pairs of lines of the same functions. */
bool finding_has_one_place(uint32_t kind);

void finding_add_site(struct finding *finding, uint64_t site, uint32_t actor, uint32_t step,
		      const char *role, ...) __attribute__((format(printf, 5, 6)));

/* The role of the thread that uses a lock, a condition, … whose memory another one may have taken away. */
#define FINDING_USES_OBJECT "uses the object"

/* The role of the thread that holds a lock which is misused. */
#define FINDING_TOOK_LOCK "took the lock"

/* From kind and sites, independent of the order of the sites and of actor indices. */
void finding_set_fingerprint(struct finding *finding);

/* The role of a thread that hangs in a call, where every run finds it. (A loop is found at any of
 * its lines.) */
#define HANG_IN_CALL "is in a call"

#endif
