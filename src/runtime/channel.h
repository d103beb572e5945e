/* channel.h: the memory that the tool and the tested program share.
 *
 * This is the only header that runtime/ (inside the tested program) and native/
 * (the tool) have in common besides the plain structs of core/. The tool makes a
 * memfd of channel_size() bytes, fills in the sizes and options, and passes the
 * descriptor's number in the environment variable FERMATA_CHANNEL. The program
 * finds it in its constructor and checks magic, version and size.
 *
 * Handover: the tool writes a schedule, adds one to `request` and wakes it; the
 * program runs, writes the trace, sets `response` to the same number and wakes
 * that. Both sides sit on one core (the tool pins itself before it starts the
 * program), so a wake-up never crosses cores. The side that waits gives the core away a few
 * times first, which is cheaper than to sleep and be woken (3 us a round trip instead of
 * 5). Only a sleeper is woken. Nothing here is a pointer: arrays are found at offsets,
 * because the two sides map the memory at different addresses.
 *
 * Knowledge about the program (`facts`: sizes of accesses, racy variables,
 * shared stacks) and the actor table live as long as the exploration; everything
 * else is overwritten by the next run. A run that learns a new fact ends as
 * END_RELEARN and the exploration starts again, so that within one exploration
 * every name means the same.
 */
#ifndef RUNTIME_CHANNEL_H
#define RUNTIME_CHANNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/actor.h"
#include "core/event.h"
#include "core/schedule.h"
#include "core/follower.h"
#include "core/trace.h"
#include "runtime/heap_layout.h"

#define CHANNEL_ENV "FERMATA_CHANNEL"
enum { CHANNEL_MAGIC = 0x464d4348 };
/* A program linked with another layout of this struct must not be controlled by us. */
#define CHANNEL_VERSION ((uint32_t)(16u << 24 | sizeof(struct channel)))

/* The thing that a descriptor stands for, in the name of its object: the maker (from bit 24), the kind, and a number. */
enum channel_io {
	CHANNEL_IO_FILE,
	CHANNEL_IO_PIPE,
	CHANNEL_IO_SOCKET,
	CHANNEL_IO_EVENTFD,
	CHANNEL_IO_EPOLL,
	CHANNEL_IO_SHIFT = 20,
	CHANNEL_IO_FLAGS = 1 << 22, /* of a kind up to CHANNEL_IO_EVENTFD: whether its calls wait */
	CHANNEL_IO_ROOM = 1 << 23, /* the room in it, for which a write waits */
};

enum channel_phase {
	CHANNEL_STARTING,  /* the program has not reached its first thread */
	CHANNEL_READY,     /* it waits for requests */
};

enum channel_restart {
	RESTART_AUTO,
	RESTART_FORK,
	RESTART_RESTORE,
};

enum channel_command {
	COMMAND_RUN,
	COMMAND_FORK, /* run, and make all runs by fork from now on */
	COMMAND_STOP, /* leave, quietly */
};

/* In the table of loops: loads at this place wait (await.h). */
#define CHANNEL_LOOP_AWAITS ((uint64_t)1 << 63)
#define CHANNEL_LOOP_NEVER ((uint64_t)1 << 62) /* it waits for more than that variable */
#define CHANNEL_LOOP_COUNTED ((uint64_t)1 << 61) /* its turns differ, and there are many (turn.c) */
#define CHANNEL_LOOP_NAME (~(CHANNEL_LOOP_AWAITS | CHANNEL_LOOP_NEVER | CHANNEL_LOOP_COUNTED))

/* How often a side that waits gives the core to the other before it sleeps. */
enum { CHANNEL_YIELDS = 3 };

/* The signal that the tool sends to a process that takes no step for too long. */
enum { CHANNEL_SILENCE_SIGNAL = 62 };

/* Fixed for the whole exploration; written by the tool before the program starts. */
struct channel_options {
	uint64_t seed;          /* of rand() and friends inside the program */
	uint64_t timeouts_ms;   /* shorter timeouts may fire any time, longer ones when idle;
	                           0 all only when idle, UINT64_MAX all any time */
	uint32_t spurious;      /* spurious wake-ups allowed per run */
	uint32_t max_steps;
	uint32_t restart;       /* enum channel_restart */
	uint32_t silent_ms;     /* CPU time without a visible step that ends a run */
	uint32_t all_plain;     /* every plain access is visible */
	uint32_t check_leaks;
	uint32_t memory;        /* enum memory_model */
	uint32_t weaker;	/* of MEMORY_RF: what channel.weaker begins with */
	uint32_t samples;       /* under a weak one: a sampler makes the schedules (history.h) */
	uint32_t max_actors;    /* 0: the default of the tool */
};

/* Knowledge about memory that is kept between runs: an open-addressing table keyed by
 * address of an 8-byte granule. */
struct channel_fact {
	uint64_t granule; /* address / 8; 0 is an empty slot */
	uint8_t cuts;     /* bit i: an access begins at byte i or ends before it */
	uint8_t seen;     /* bit i: byte i is known to be accessed by steps */
	uint8_t whole;    /* cut into too many pieces: the granule is one object after all */
	uint8_t racy;     /* plain accesses to it are visible */
	uint8_t spare[4];
};

enum { CHANNEL_FACTS = 1 << 16, CHANNEL_FRAMES = 32, CHANNEL_LIVES = 64, CHANNEL_WITHDRAWN = 4096 };

/* A call stack, innermost first; recorded when record_stacks is set. The key is the
 * step of an event, or one of rt.h's RT_STACK_… with an index. */
struct channel_stack {
	uint32_t key;
	uint32_t frames_len;
	/* Of a plain access: the values of the memory before it and after it, where they are known. */
	uint64_t before, after;
	uint32_t has_before, has_after;
	uint64_t frames[CHANNEL_FRAMES];
	uint64_t bases
		[CHANNEL_FRAMES]; /* the frame pointer of the function that frames[i] returns to */
};

enum { CHANNEL_HELD = 128, CHANNEL_GUIDES = FOLLOWER_GUIDES, CHANNEL_LOOPS = 256,
       CHANNEL_AWAITED = 256, CHANNEL_ANSWERS = 65536 };

/* A heap block that steps of the run touched; recorded when record_stacks is set. */
struct channel_block {
	uint64_t start, size;
	uint64_t site;       /* that allocated it */
	uint64_t freed_site; /* 0: it was not freed */
};

enum { CHANNEL_MAKERS = 12, CHANNEL_MADE = 512 };

/* The callers of the place that allocated a block, innermost first. A class of a library allocates in its
 * own header; the reader wants to see the line of the program that called it. Blocks that were allocated
 * before the first thread are those of every run. */
struct channel_made {
	uint64_t start;
	uint64_t callers[CHANNEL_MAKERS]; /* 0: there are no more */
};

/* The value that a step wrote; recorded when record_stacks is set. The entry of a step is at its
 * number modulo the size of the table, so those of the last steps are known. */
struct channel_written {
	uint64_t value;
	uint32_t step; /* 1 + index of the event; 0: empty */
	uint32_t spare;
};

enum { CHANNEL_BLOCKS = 128, CHANNEL_NAMES = 256, CHANNEL_WRITTEN = 8192 };

/* A variable that some loop waits for (await.h). */
struct channel_awaited {
	uint64_t object;
	uint64_t at; /* its address */
	uint32_t size, spare;
};

/* The order that atomic operations at a place have instead of the one written there. */
struct channel_order {
	uint64_t site; /* its stable name (rt_name) */
	uint32_t order; /* enum memory_order */
	uint32_t spare;
};

enum { CHANNEL_ORDERS = 64, CHANNEL_ACTORS_MAX = LAYOUT_MANY_ACTORS };

struct channel_module {
	uint64_t start, end; /* of the mapped image */
	uint64_t base;       /* load address: file address = address - base */
	uint32_t foreign;    /* neither instrumented nor a known runtime library */
	char path[236];
};

enum { CHANNEL_MODULES = 64, CHANNEL_PLACES = 256, CHANNEL_UNKNOWN = 32 };

/* A word on a stack that could be a return address into the program: a call stands before it. */
struct channel_place {
	uint64_t at;
	uint64_t target; /* of that call; 0 if it is not a direct one */
};

/* A function that is not modelled, and where it was called first. */
struct channel_unknown {
	uint64_t site;
	char name[184];
};

/* A calling context: the innermost callers of a step, named by their hash, which stands
 * in event.context. An open-addressing table, kept between runs. */
enum { CHANNEL_CONTEXTS = 4096, CHANNEL_CALLERS = 8 };

struct channel_context {
	uint32_t hash; /* 0 is an empty slot */
	uint32_t callers_len;
	uint64_t callers[CHANNEL_CALLERS];
};


struct channel {
	uint32_t magic, version;
	uint64_t size;
	uint32_t max_actors, max_events, max_plains, max_notices, max_stacks, max_output;
	uint32_t max_decisions, max_sleepers;
	/* Offsets from the start of the channel. */
	uint64_t actors, events, enabled, pending, plains, notices, stacks, output;
	uint64_t decisions, sleepers, facts, withdrawn, contexts;
	uint64_t area, area_size; /* for fermata/model.h; not looked at by the runtime */
	uint32_t enabled_words;
	struct channel_options options;

	/* Handover. */
	_Atomic uint32_t phase; /* enum channel_phase */
	_Atomic uint32_t request, response;
	_Atomic uint32_t request_sleeper, response_sleeper; /* the side that waits really sleeps */
	uint32_t command;
	uint32_t record_stacks;
	uint32_t record_callers; /* how many callers make up event.context; 0: it stays 0 */
	uint32_t stop_step;   /* the process stops itself before step number stop_step, from 1; 0: it
	                         does not. For a debugger, which moves it */
	uint32_t stop_key;    /* the process stops itself at the access or notice of which this is the key
	                         (stack_keys.h); 0: at none. For a debugger */
	uint32_t stop_at_end; /* the process stops itself when the run ends: a debugger comes */

	/* A request may ask for several runs: more schedules wait at `more`, one after the other,
	 * each a struct schedule with its arrays behind it. The traces of all runs but the last
	 * are then at `done`, each a struct channel_done with its arrays. A run that did not end
	 * in an ordinary way is the last. */
	uint32_t more_len, done_len;
	uint64_t more, done, more_size, done_size;

	/* The schedule of this request. Its pointers mean nothing on the other side: the arrays
	 * are at `decisions` and `sleepers` and in `guides`. */
	struct schedule schedule;

	/* The trace of this response (arrays at the offsets above). */
	uint32_t events_len, pending_len, plains_len, notices_len, stacks_len, lives_len, withdrawn_len;
	uint32_t end, end_actor;
	int32_t code;
	uint32_t void_turns, dropped, bounded;
	uint64_t assumed;
	uint64_t address;
	uint64_t output_len;
	uint32_t output_empty; /* nothing was written: the file is still at its start */
	char message[512];
	struct live lives[CHANNEL_LIVES];
	uint32_t held_len;
	struct held held[CHANNEL_HELD];
	uint32_t blocks_len, names_len; /* when record_stacks is set */
	struct channel_block blocks[CHANNEL_BLOCKS];
	struct channel_made made[CHANNEL_MADE];
	uint32_t made_len;
	struct channel_written written[CHANNEL_WRITTEN];
	char names[CHANNEL_NAMES][16]; /* of threads by pthread_setname_np; "": none */
	uint64_t starts[CHANNEL_NAMES]; /* their start functions (rt_name); 0: not known */

	/* Kept between runs. */
	struct guide guides[CHANNEL_GUIDES];
	uint32_t actors_len;
	uint32_t restart_used;      /* enum channel_restart, once decided */
	char restart_reason[128];   /* why not restore; empty if restore */
	char warnings[1024];        /* for the user, one per line */
	uint64_t assumed_early;     /* bits of `assumed` from before the first thread */
	uint32_t unknown_len;
	struct channel_unknown unknown[CHANNEL_UNKNOWN]; /* calls/effects.h: forbid "proved" */
	char uncontrolled[64];      /* the first uncontrolled call met: forbids "proved" */
	uint64_t uncontrolled_site; /* and its place; 0 not known */
	char removed[4096];         /* files to remove after the last run, one per line */
	uint64_t exits;		    /* object of the step of exit(); 0: not yet called */
	uint32_t finish_is_event;   /* a thread observes whether another one has ended */
	uint32_t identity_is_event; /* a thread is joined by one thread and asked for by another */
	uint32_t cancel_is_event;   /* a thread cancels others: cancellation points look for it */
	uint32_t signal_is_event;   /* threads send each other signals */
	uint64_t signals_sent;      /* which: to a thread */
	uint64_t signals_to_all;    /* and to the process */
	uint32_t number_is_event;   /* descriptors are used by threads that have not opened them */
	uint32_t flags_are_event;   /* threads change whether calls on descriptors wait */
	uint32_t sets_are_event;    /* threads change sets of epoll on which others wait */
	uint32_t files_are_event;   /* threads use a file by FILEs and in other ways */
	uint32_t key_is_event;      /* a thread deletes a key of thread-specific data */
	uint32_t openmp_tasks;      /* the program makes tasks (openmp/task.c) */
	uint32_t wants_actors;      /* a run had more than max_actors */
	uint32_t fixed_addresses;   /* ASLR is off */
	uint32_t run_pid;           /* the process that runs now (a child when forking) */
	uint32_t killed;            /* set by the tool before it kills a silent run */
	uint32_t places_len;        /* of a step that does not come back (native/place.h) */
	struct channel_place places[CHANNEL_PLACES];
	uint32_t again;             /* the run must be repeated: it needed more fibers */
	uint32_t modules_len;
	struct channel_module modules[CHANNEL_MODULES];
	uint8_t stack_shared[CHANNEL_ACTORS_MAX]; /* by actor: others were seen in its stack */
	uint64_t loops[CHANNEL_LOOPS]; /* sites that a thread came back to without writing; a
	                               table of hashes, 0 is an empty slot (turn.c) */
	uint32_t loops_len;
	uint32_t awaits_off;        /* too much to remember: loads do not wait */
	uint32_t awaited_len, answers_len;
	struct channel_awaited awaited[CHANNEL_AWAITED];
	uint64_t answers[CHANNEL_ANSWERS]; /* see await.c */
	uint32_t facts_len;         /* slots of the table of facts in use */
	uint32_t racy_len;          /* facts that say racy; 0: no access needs to look */
	uint32_t orders_len;        /* set by the tool (--suggest-orders) */
	struct channel_order orders[CHANNEL_ORDERS];
	uint32_t weaker;    /* an atomic weaker than seq_cst was seen (atomic.c); of MEMORY_RF:
	                               the relation was not given up */
	char uncovered[96]; /* why it was given up */
};

/* The trace of a run: then events, enabled sets, pending, plains, withdrawn, lives, held,
 * output, each rounded up to 8 bytes. (Notices, stacks and messages only come with the
 * last run of a request: a run that has them ends it.) */
struct channel_done {
	uint32_t events_len, pending_len, plains_len, withdrawn_len, lives_len, held_len;
	uint32_t actors_len, end, end_actor;
	int32_t code;
	uint32_t void_turns, dropped, bounded;
	uint64_t assumed;
	uint64_t output_len;
	uint64_t size; /* with its arrays */
};

static inline uint64_t channel_round(uint64_t bytes)
{
	return (bytes + 7) & ~(uint64_t)7;
}

static inline void *channel_at(struct channel *channel, uint64_t offset)
{
	return (char *)channel + offset;
}

/* The fact about a granule, or NULL; added if wanted (NULL then means the table is full). */
static inline struct channel_fact *channel_fact_of(struct channel *channel, uint64_t granule,
						   bool add)
{
	struct channel_fact *facts = channel_at(channel, channel->facts);
	uint64_t i = (granule * 0x9e3779b97f4a7c15u) >> 48, end = i + CHANNEL_FACTS;

	for (; i < end; i++) {
		struct channel_fact *fact = &facts[i % CHANNEL_FACTS];

		if (fact->granule == granule)
			return fact;
		if (fact->granule)
			continue;
		if (!add || channel->facts_len >= CHANNEL_FACTS / 4 * 3)
			return NULL;
		channel->facts_len++;
		fact->granule = granule;
		return fact;
	}
	return NULL;
}

/* The slot of a context, empty if it is not there; NULL when the table is full. */
static inline struct channel_context *channel_context_of(struct channel *channel, uint32_t hash)
{
	struct channel_context *contexts = channel_at(channel, channel->contexts);

	for (uint32_t n = 0; n < CHANNEL_CONTEXTS; n++) {
		struct channel_context *context = &contexts[(hash + n) % CHANNEL_CONTEXTS];

		if (context->hash == hash || !context->hash)
			return context;
	}
	return NULL;
}

/* The slot of a place, by its name, in the table of loops; 0 in it: not there. */
static inline uint64_t *channel_loop_of(struct channel *channel, uint64_t name)
{
	uint64_t i = (name * 0x9e3779b97f4a7c15u) >> 32;

	for (;; i++) {
		uint64_t *slot = &channel->loops[i % CHANNEL_LOOPS];

		if (!*slot || (*slot & CHANNEL_LOOP_NAME) == name)
			return slot;
	}
}

static inline bool channel_has_all_loops(const struct channel *channel)
{
	return channel->loops_len == CHANNEL_LOOPS / 2;
}

static inline void channel_add_loop(struct channel *channel, uint64_t name)
{
	uint64_t *slot = channel_loop_of(channel, name & CHANNEL_LOOP_NAME);

	if (!*slot && channel_has_all_loops(channel))
		return;
	channel->loops_len += !*slot;
	*slot |= name;
}

/* From now on plain accesses to these bytes are visible; true if that is news. Keep
 * size small: the granules are marked one by one. */
static inline bool channel_mark_racy(struct channel *channel, uint64_t address, uint64_t size)
{
	bool news = false;

	for (uint64_t g = address / 8; size && g <= (address + size - 1) / 8; g++) {
		struct channel_fact *fact = channel_fact_of(channel, g, true);

		if (!fact || fact->racy)
			continue;
		fact->racy = 1;
		channel->racy_len++;
		news = true;
	}
	return news;
}

#endif
