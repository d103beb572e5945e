/* follower.h: which actor goes next, given a schedule and the announced events?
 *
 * The follower never decides anything of its own: it follows the decisions, then
 * the tail policy with its seed. It allocates nothing and does not call libc,
 * because it is linked into both targets, and one of them lives inside the tested program.
 *
 *     follower_start(&f, &schedule);
 *     for (;;) {
 *             int actor = follower_pick(&f, &view);
 *             if (actor < 0) the run ends with f.end
 *             … the actor takes its step, `did` is what happened …
 *             follower_took(&f, &view, did);
 *     }
 */
#ifndef CORE_FOLLOWER_H
#define CORE_FOLLOWER_H

#include "base/bitset.h"
#include "base/rng.h"
#include "core/actor.h"
#include "core/event.h"
#include "core/schedule.h"

enum { FOLLOWER_ACTORS = 16384, FOLLOWER_DEPTH = 32, FOLLOWER_GUIDES = 1024 };
enum { FOLLOWER_HOLDS = 8 }; /* pairs of guides that RFF follows at a time */
enum { FOLLOWER_SPINS = 64, FOLLOWER_SPIN_OBJECTS = 4 };

/* An actor that may be in a spin loop; see follow_spin.h. */
struct follower_spin {
	uint64_t site;           /* of the look that is counted */
	uint64_t objects[FOLLOWER_SPIN_OBJECTS]; /* read since then; first that of the look */
	uint32_t actor;
	uint8_t objects_len;
	uint8_t looks, apart;    /* the same look so often; other looks since */
	bool is_dozing;
	bool reads_more;         /* objects that have no room */
};

/* The state of a run before a decision. Sets have `words` words. */
struct follower_view {
	const uint64_t *enabled;
	uint32_t words;
	uint32_t actors_len;
	/* The announced event of an actor; stride lets targets embed it in their own structs. */
	const char *announced;
	size_t stride;
	const struct actor *actors;
	uint32_t known_len; /* entries of `actors`, also of actors created later; 0: actors_len */
	const uint64_t *later; /* actors that TAIL_LOWEST picks if there is no other; NULL: none */
};

static inline const struct event *follower_announced(const struct follower_view *view,
						     uint32_t actor)
{
	return (const struct event *)(view->announced + view->stride * actor);
}

struct follower {
	struct schedule schedule;
	uint32_t next;    /* decision to try next */
	uint32_t step;    /* steps taken */
	uint32_t last;    /* actor that went last, virtual ones not counted; ACTOR_NONE */
	uint32_t dropped; /* relaxed decisions that were not possible */
	uint32_t end;     /* enum trace_end when pick returned -1 */
	uint32_t child;   /* loose: the number that the actor created by the step picked last had
	                     when the schedule was recorded; 0: the next free number */
	uint32_t source, source_ordinal; /* of the decision picked last; 0: the tail picked */
	uint32_t asleep_len;
	bool sleep_started;
	struct rng rng;
	uint32_t words;   /* of the sets below that this run has cleared; see follower_make_room */
	uint64_t asleep[BITSET_WORDS(FOLLOWER_ACTORS)];
	/* PCT, POS and RFF */
	uint32_t change_points[FOLLOWER_DEPTH];
	uint64_t priority[FOLLOWER_ACTORS]; /* 0 = not drawn yet */
	/* SURW: events still to come; RFF: see follow_guide.c */
	uint32_t remaining[FOLLOWER_ACTORS];
	uint32_t intent;
	uint8_t holds[FOLLOWER_HOLDS];
	/* Schedules that resume spinners: see follow_spin.h */
	uint32_t dozing_len;
	uint64_t known, looking; /* which of the spins are in use; which count a look */
	struct follower_spin spins[FOLLOWER_SPINS];
};

void follower_start(struct follower *f, const struct schedule *schedule);

/* Clears what the follower keeps by actor, up to sets of that many words. A run of a few actors does
 * not clear the room of thousands. */
void follower_make_room(struct follower *f, uint32_t words);

/* The actor to go next, or -1: then f->end is the reason (END_ASLEEP, END_DIVERGED or
 * END_STOPPED). At least one actor must be enabled. */
int follower_pick(struct follower *f, const struct follower_view *view);

/* The number of the next child of an actor that has had `children`: the recorded one if it is
 * still free (numbers only grow), else the next. For targets, when a step creates an actor. */
static inline uint32_t follower_child(const struct follower *f, uint32_t children)
{
	return f->child > children ? f->child : children + 1;
}

/* Enabled and not asleep. For the tail policies. */
bool follower_is_choosable(const struct follower *f, const struct follower_view *view,
			   uint32_t actor);

/* For follower_took(): does it matter what the chosen actor did? It does with few schedules. */
static inline bool follower_looks(const struct follower *f)
{
	return f->asleep_len || f->schedule.guides_len || f->schedule.resumes ||
	       f->schedule.tail == TAIL_POS || f->schedule.tail == TAIL_RFF;
}

void follower_look(struct follower *f, const struct follower_view *view, const struct event *did);

/* Reports to the follower what the chosen actor did. */
static inline void follower_took(struct follower *f, const struct follower_view *view, const struct event *did)
{
	f->step++;
	if (!actor_is_virtual(&view->actors[did->actor]))
		f->last = did->actor;
	if (follower_looks(f))
		follower_look(f, view, did);
}

#endif
