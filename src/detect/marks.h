/* marks.h: the accesses to each granule (8 bytes of memory) that could still race with a later one.
 *
 * Of each actor the last read and the last write of the same bytes are kept. The plain reads of a
 * granule are a list of their own, because reads do not race with reads: memory that a thousand
 * threads only read costs each of them one look at its own mark.
 *
 * With many threads the lists would be long. Where a list is, marks that the new access covers are
 * taken out: an access that races with such a mark races with the new access, too.
 *
 *     T1 writes, unlocks; T2 locks, writes: the mark of T1 goes. A later access that T1's write is
 *     not ordered before is not ordered after T2's write either.
 *
 * All changes can be undone, because a run mostly begins as the run before.
 */
#ifndef DETECT_MARKS_H
#define DETECT_MARKS_H

#include "base/map.h"
#include "base/vec.h"
#include "detect/sync.h"

/* The numbers are those of plain.is_write. */
enum act { ACT_READ, ACT_WRITE, ACT_FREE, ACT_END, ACT_RETURN, ACT_MAP };

struct mark {
	uint32_t actor;
	uint32_t time;  /* the actor's own time when it happened */
	uint64_t site;
	uint32_t next;  /* older mark of the list, or MARK_END */
	uint32_t key;   /* step of the event, or plain index | 1 << 31 */
	uint8_t bytes;  /* which of the eight */
	uint8_t act;    /* enum act */
	bool is_atomic;
	bool is_object; /* not an access: a step on a lock and its like */
};

enum { MARK_END = 0xffffffffu };

enum { LIST_PLAIN_READS, LIST_OTHERS, LISTS };

struct granule {
	uint32_t heads[LISTS]; /* newest mark, or MARK_END */
	uint8_t read_bytes;    /* of all plain reads there ever were */
};

struct marks_change;

/* The mark that an actor's last plain read of a granule has; found by hash. */
struct recent_read {
	uint64_t granule;
	uint32_t actor;
	uint32_t mark;
	uint64_t era;
};

enum { RECENT_READS = 2048 };

struct marks {
	struct map index; /* address / 8 -> its place in `granules` */
	VEC(struct granule) granules;
	VEC(struct mark) items;
	VEC(struct marks_change) changes;
	struct recent_read *recent; /* RECENT_READS, or NULL */
	uint64_t era;               /* changes when marks are taken back or out */
	bool is_final;              /* marks_back will not be called: keep nothing for it */
};

VEC_TYPE(mark_list, uint32_t); /* indices of marks */

void marks_start(struct marks *marks);

/* Adds the access; `racing` gets the marks that race with it, the newest first. */
void marks_put(struct marks *marks, const struct sync *sync, uint64_t granule,
	       const struct mark *new, struct mark_list *racing);

/* The granules from `low` to before `high` are new memory: the kernel orders its use behind all
 * accesses to what was mapped there before. */
void marks_forget(struct marks *marks, uint64_t low, uint64_t high);

/* As when there were so many changes. */
void marks_back(struct marks *marks, size_t changes);

void marks_release(struct marks *marks);

#endif
