/* watch.h: pairs of places in which a process first reads something shared and later acts on what
 * it read: has another process written it in between?
 *
 * The pairs come from the static analysis (`fermata races --confirm`); a place is a call in a
 * function on a line. While the machine runs, every step is compared with the places: a native
 * function by the instruction that calls it, a function of a library (application:set_env/3) by
 * the caller's frame under it. A tail call leaves no such frame; then the step is known by the
 * frame of the function called. If that function has gone on by tail calls, too, the step is known
 * as a step of a library that reads or writes the same object.
 *
 * When a run is over, watch_check looks for
 *
 *     A reads o at the one place ... B writes o ... A acts on o at the other
 *
 * and puts a notice into the trace, so that it is confirmed, shortened, saved and replayed like any
 * finding. B's write does not count if A itself asked for it and waited (A told B after its
 * read, B told A before A went on): then every schedule has this order.
 *
 *     struct watch watch = {0};
 *     watch_add(&watch, &read, &write);
 *     options.conduct.watch = &watch;      // borrowed for the target's life
 *     ... explore ...
 *     watch.pairs.items[0].is_reached
 *     watch_release(&watch);
 */
#ifndef BEAM_WATCH_H
#define BEAM_WATCH_H

#include "base/map.h"
#include "base/vec.h"
#include "beam/objects.h"
#include "beam/sites.h"
#include "core/event.h"
#include "core/trace.h"
#include "vm/process/process.h"

/* A call in a function on a line, in words. */
struct watch_place {
	const char *module;   /* as it is, not quoted */
	const char *function; /* name/arity, quoted where Erlang does */
	const char *file;
	uint32_t line;
	const char *call; /* module:function/arity, quoted where Erlang does */
	bool is_tail;     /* nothing of the caller is left when it runs */
};

struct watch_pair {
	uint32_t read, write; /* indices of places */
	/* what was seen in any run so far */
	bool is_read_reached; /* the read */
	bool is_reached;      /* the read, and later the write on the same object, by the same
	                         process or one that it started in between */
	bool is_seen;         /* and a write of another process between the two */
};

/* Where an event of the run was. */
struct watch_mark {
	uint32_t place;  /* 1 + place; 0 at none of them */
	uint32_t entry;  /* 1 + first place whose call is a function that it was in; 0 none */
	bool is_in_library; /* and the caller is not watched */
	bool is_writing;
	uint64_t setting; /* object: what a message to the application controller changes; 0 */
};

struct watch {
	VEC(struct watch_place) places; /* texts owned */
	VEC(struct watch_pair) pairs;
	VEC(uint8_t) roles;             /* of each place: set of EVENT_WATCHED_… */
	VEC(struct watch_mark) marks;   /* of each event of the run */
	/* what is known of code addresses */
	struct map spots;     /* 1 + first place there, 0 none */
	struct map libraries; /* is it of a module that watched calls lead into? */
	struct map entries;   /* 1 + first place that calls the function there, 0 none */
};

/* Copies the words. */
void watch_add(struct watch *watch, const struct watch_place *read,
	       const struct watch_place *write);
void watch_release(struct watch *watch);

/* The sites of the two ends, as they stand in a finding. */
void watch_sites(const struct watch *watch, const struct watch_pair *pair, struct sites *sites,
		 uint64_t *read, uint64_t *write);

/* A run begins. */
void watch_reset(struct watch *watch);
/* Two writes of the same value commute, but here it matters which of them came in between: the
 * announced access is made a plain write. */
void watch_sharpen(struct event *event);
/* p (NULL: a timer) is about to take the step; called once for every event, in order. */
void watch_step(struct watch *watch, struct objects *objects, const struct process *p,
		struct event *event);

VEC_TYPE(notice_vec, struct notice);

/* The run is over: appends to notices. */
void watch_check(struct watch *watch, struct sites *sites, const struct event *events, uint32_t len,
		 struct notice_vec *notices);

#endif
