/* rt.h: the runtime inside the tested program: its state and its one idea.
 *
 * Every thread of the program is a fiber on one OS thread. A fiber that is about to do something
 * another thread could notice describes it as a struct event and calls rt_step(). The scheduler
 * asks the follower which fiber goes next. When rt_step() returns, the fiber has been chosen and
 * performs its step at once, alone:
 *
 *     struct event event = rt_event(EVENT_LOCK, RT_SITE);
 *     rt_access(&event, OBJECT_LOCK, mutex, ACCESS_ACQUIRE);
 *     struct event *did = rt_step(&event, can_lock, mutex);
 *     mutex->__data.__owner = rt_self_number();          // the step itself
 *     did->value = …                                      // what it observed
 *
 * `can` says whether the step could be taken now; it is asked again before every
 * decision and must only read. A step whose `can` is NULL is always possible.
 *
 * Three phases. PASSIVE: the program runs outside fermata; every intercepted call goes to the real
 * function. ALONE: before the first thread exists; rt_step() returns at once, the modelled objects
 * are used, nothing is recorded. RUNNING: after the first pthread_create, where runs are restarted.
 *
 * Rules for everything in this folder: no malloc, and no libc call that allocates, locks or is
 * intercepted (use rt_sys.h). No mutable static variable: all state lives in struct rt, in a
 * mapping of its own at a fixed address, so that restoring the program's memory does not roll it
 * back. Objects of the program that have room for our model of them (a pthread_mutex_t) carry it
 * themselves: so it is restored with the program. All symbols that are not interceptions begin with
 * rt_.
 */
#ifndef RUNTIME_RT_H
#define RUNTIME_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/follower.h"
#include "core/object.h"
#include "runtime/actions.h"
#include "runtime/channel.h"
#include "runtime/heap_layout.h"
#include "runtime/history_data.h"
#include "runtime/memory_data.h"
#include "runtime/rt_io.h"
#include "runtime/stack_keys.h"
#include "runtime/stem_data.h"
#include "runtime/turn_data.h"

#define RT_SITE ((uint64_t)__builtin_return_address(0))

/* At the end of a hook that returns nothing: compilers make room on the stack by pushing
 * whatever is in rax, and what is on the stack is the state of the thread (turn.h). */
static inline void rt_leave_no_trace(void)
{
	__asm__ volatile("xorl %%eax, %%eax" : : : "rax", "cc");
}

enum rt_phase { RT_PASSIVE, RT_ALONE, RT_RUNNING };

enum rt_actor_state {
	RT_FREE,
	RT_NEW,       /* created, has not run to its first announcement */
	RT_ANNOUNCED, /* stopped before the step described in `announced` */
	RT_FINISHED,
};

enum { RT_MAX_ACTORS = CHANNEL_ACTORS_MAX, RT_MAX_HELD = 32 };

struct rt_actor;
typedef bool rt_can(struct rt_actor *actor, void *thing);

/* A lock an actor holds, for reports and for misuse checks. */
struct rt_held {
	void *thing;   /* where it is */
	uint64_t object;
	uint64_t site;
	uint32_t mode; /* ACCESS_ACQUIRE or ACCESS_SHARE */
	uint32_t count;
	bool robust;   /* a mutex that passes on when its holder ends */
};

struct rt_actor {
	uint32_t index;   /* in the actor table: the same in every run */
	uint32_t state;   /* enum rt_actor_state */
	uint32_t ordinal; /* events so far */
	uint32_t children; /* threads created so far */
	struct event announced;
	rt_can *can;
	void *thing;

	/* Virtual actors have no fiber; this takes their step. NULL for threads. */
	void (*act)(struct rt_actor *self, struct event *did);
	struct rt_actor *owner;

	/* The fiber. */
	void *sp;
	uint64_t fs_base;
	char *stack_low, *stack_high;
	const char *foreign_low, *foreign_high; /* around the uses of it by other threads */
	const char *unwound; /* the thread ends: the frames from here to the base are gone */

	/* The thread, as POSIX sees it. */
	void *(*start)(void *);
	int (*start_c11)(void *);
	void *arg, *result;
	uint64_t created_at;      /* site of the call that made it */
	bool detached, joined, joining;
	uint32_t joiner;          /* 1 + index of the thread that joined it */
	uint64_t askers, joiners; /* the threads that gave its identity to a call or joined it: a bit each */
	bool cancel_pending, cancel_disabled, cancel_async;
	bool exiting;
	bool ended;               /* the first thread, after pthread_exit: its fiber goes on */
	void *cleanup;            /* innermost cleanup handler */
	uint64_t signal_mask;	  /* bit n-1 for signal n, as those below */
	uint64_t signals;         /* pending for it */
	uint64_t process_signals; /* of the first thread: pending for any thread */
	bool looking;             /* for signals, with the step it has announced */
	uint32_t handlers;        /* signal handlers that it is in */
	const char *handler_base; /* frames below it are those of the innermost of them */
	uint64_t mask_outside;	  /* signal_mask before the first of them */
	uint64_t unwinding[4] __attribute__((aligned(16))); /* the unwinder's header */
	char name[16];

	/* The waiting set it is in, its timer, its locks. */
	uint64_t waiting_on;      /* object of a condition or futex it is in the waiting set of */
	const void *waiting_with; /* the mutex given to pthread_cond_wait */
	uint32_t wait_bits;       /* the bit set given to a futex */
	bool timed_out, woken;
	bool may_fail;            /* the announced step, by a virtual actor (failure.h) */
	bool freed;               /* its timer took it out of a waiting set or a loop */
	uint32_t left;            /* 1 + number of the step withdrawn then, if not possible; 0 */
	struct rt_actor *timer;   /* its timer actor, once it had one */
	uint64_t deadline_ns;     /* of the armed timer; 0 none */
	bool idle_only, was_due;  /* fires only if no other actor can go; it could have once */
	uint32_t held_len;
	bool held_overflow;       /* it holds, or held, more than that */
	bool awaiting;            /* its announced load waits for another value (await.h) */
	bool is_late;             /* the same in a search of graphs, where it is postponed */
	void *await_at;
	uint32_t await_size;
	uint64_t await_state;
	uint64_t await_site;      /* where it waited last, */
	uint32_t await_ordinal;   /* and the ordinal of its next event then */
	bool spinning;            /* parked after a void turn, */
	bool is_counted;          /* which was one of a loop that counts its turns, */
	bool counts_on;           /* and no actor could go on: not parked like that again */
	bool spin_woken;          /* something its void turn read has been written since */
	uint32_t stays_since;     /* found an object taken (history.h): the step after that; 0 not */
	bool probed;              /* has gone round once more because only spinners were left */

	/* Its heap region. */
	uint64_t heap_next;       /* 0: nothing allocated yet */
	uint32_t heap_count;
	void (*expire)(struct rt_actor *owner); /* what its timer does when it fires */
	uint64_t poll_ns;         /* how far the clock goes when it polls the clock */
	uint32_t randoms;         /* random numbers drawn from the system */
	uint32_t channels, ports; /* pipes and the like it has made, ports that it has asked for */
	void *text;               /* that strerror() made for it, and frees at its end; or NULL */
	uint32_t ignore_reads, ignore_writes; /* scopes of calls/annotate.c that it is in */
	uint32_t fibers;          /* made by __tsan_create_fiber */
	void *fiber;              /* that it runs on; NULL: its own stack */
	const void *io_file;      /* the FILE it used last, */
	uint32_t io_ordinal;      /* with so many events then */

	uint64_t raw_site, frees_at; /* where it called syscall(), while that calls a model (raw.c); effect F */
	char *tls_low, *tls_high; /* of the first thread; others have theirs in the stack */
	uint32_t frames_len;      /* the call stack at its announcement, when stacks are recorded */
	uint32_t thrown_len;      /* and where it threw an exception that is not caught */
	uint32_t what;            /* enum what_state, of that exception (calls/thrown.c) */
	bool is_terminated;       /* std::terminate() is among its callers */
	bool called_pure;	  /* and so is the function that stands for pure virtual ones */

	/* From here on what is large and has a length elsewhere: a new actor begins with
	 * zeroes up to here only (RT_ACTOR_HEAD). */
	struct rt_turn turn;
	struct rt_held held[RT_MAX_HELD];
	uint64_t frames[CHANNEL_FRAMES], bases[CHANNEL_FRAMES];
	uint64_t thrown[CHANNEL_FRAMES];
};

#define RT_ACTOR_HEAD __builtin_offsetof(struct rt_actor, turn.sites)

/* A cond_signal, sem-less: any of `eligible` may take it. */
struct rt_token {
	uint64_t object;
	uint32_t signal_actor, signal_ordinal; /* the event that left it */
	uint64_t eligible[BITSET_WORDS(RT_MAX_ACTORS)];
};

enum { RT_MAX_TOKENS = 256, RT_MAX_AWAITED = 4096 };

/* The memory a real thread left behind for a fiber; see fiber.h. */
struct fiber_donor {
	uint64_t fs_base; /* 0: none made yet */
	char *stack_low;  /* lowest usable byte */
	char *stack_high; /* end of the mapping: stack, then thread control block */
	char *stack_top;  /* where a fiber's stack begins, growing down */
	int tid;
};

enum { RT_HEAP_CLASSES = 64 };

/* The state of heap.c besides the cursor in each actor. */
struct rt_heap {
	uint64_t mapped;          /* bit i: regions of actors 16*i .. 16*i+15 are mapped */
	uint64_t begin;           /* the first actor's cursor when the first thread was made */
	bool reuse;               /* a region grew too large: freed blocks are used again */
	void *free_lists[RT_HEAP_CLASSES];
};

enum { RT_MAX_SHARED = 32, RT_MAX_BENIGN = 128, RT_MAX_EXCEPTIONS = 64 };

/* Memory on which the program races on purpose, as it has said (calls/annotate.c). */
struct rt_benign {
	uint32_t len;
	struct {
		uint64_t at, size;
	} ranges[RT_MAX_BENIGN];
};

/* Exceptions of C++ of which a thread gave back a use (calls/exception.c). */
struct rt_exceptions {
	uint32_t len;
	const int *counts[RT_MAX_EXCEPTIONS];
};

/* Shared mappings at the first thread, and where their contents are kept (shared.c). */
struct rt_shared {
	uint32_t len;
	struct rt_shared_range {
		uint64_t low, high;
		unsigned char *pages; /* of a large one: which pages are kept, the lowest bit */
	} ranges[RT_MAX_SHARED];
	uint64_t bytes;
	char *kept;
	uint32_t anonymous_len;   /* mapped as private, until the program forks (system.c) */
	struct {
		void *at;
		uint64_t size;
		int protection;
	} anonymous[RT_MAX_SHARED];
	uint32_t attached;        /* calls of shmat */
};

struct rt {
	uint32_t phase; /* enum rt_phase */
	uint32_t current; /* index of the running actor */
	struct channel *channel;
	struct rt_actor *main;
	struct follower follower;

	/* Where the arrays of the channel are, in this process. */
	struct event *events;
	uint64_t *enabled_sets;
	struct plain *plains;
	struct notice *notices;
	struct channel_fact *facts;

	uint64_t now_ns;          /* virtual time since the start of the run */
	uint64_t rng;             /* of rand() and friends */
	uint32_t spurious_left;
	uint32_t tokens_len;
	struct rt_token tokens[RT_MAX_TOKENS];
	uint32_t actors_high, looked_up; /* one more than the highest index in use; the last looked up */
	uint32_t newborns;        /* actors in state RT_NEW */
	bool probing;             /* only spinners were left: do they really go nowhere? */
	uint32_t probe_from;      /* events_len when that began */
	struct rt_actor *trying;  /* await.c: whose load is tried, off the record */
	uint64_t trial_key, trial_site, trial_state, trial_was;
	uint32_t trial_plains, trial_notices;
	bool trial_wrote;         /* its turn.wrote before the trial */
	bool trial_read;          /* plain memory other than its frames */
	/* A pthread_t is free once its thread was joined or detached; then another thread was created. */
	enum { RT_IDENTITY_NEW, RT_IDENTITY_FREE, RT_IDENTITY_GIVEN } identity;
	uint32_t late_len;        /* actors that are late, */
	uint64_t late[BITSET_WORDS(RT_MAX_ACTORS)]; /* and those that would look in vain */
	uint32_t awaited_len;     /* values of awaited variables before each write */
	struct rt_awaited {
		uint64_t value;
		uint32_t which; /* of channel.awaited */
		uint32_t step;  /* the event that was to write it */
	} awaited[RT_MAX_AWAITED];
	bool undecided, untold;   /* the last event's step is still being taken; the follower has not heard of it */
	struct event scratch;     /* what rt_step returns in phase ALONE */
	uint64_t enabled[BITSET_WORDS(RT_MAX_ACTORS)];
	/* So that not every actor is asked: threads whose announced step is always possible, and actors
	 * of whom nothing is known. Threads that have ended are in neither. */
	uint64_t ready[BITSET_WORDS(RT_MAX_ACTORS)], asked[BITSET_WORDS(RT_MAX_ACTORS)];
	struct rt_actor actors[RT_MAX_ACTORS];

	struct rt_heap heap;
	struct rt_memory memory;
	struct rt_io io;
	struct rt_undo *undo;     /* undo.h: what the run has changed on the disk */
	struct rt_shared shared;
	struct rt_benign benign;
	struct rt_exceptions exceptions;
	uint8_t properties_requested, properties_asked; /* calls/threadattr.c */
	struct rt_actions actions;
	struct rt_history history;

	/* fiber.c, server.c: set up before the first run. */
	bool has_fsgsbase;
	uint64_t main_fpu_state;  /* mxcsr and x87 control word a new fiber starts with */
	struct fiber_donor donors[RT_MAX_ACTORS]; /* by actor index */
	int capture_fd;           /* where fds 1 and 2 go */
	bool libraries_end;       /* some may do something when the program ends */
	uint64_t alarm_ns;	  /* when the signal of alarm() is due; 0: never */
	const char *ringer;       /* the call whose signal has a handler and never comes, or NULL */
	bool donors_made;         /* at least once */
	int apart_from;           /* real number of the parent, in a child that is not controlled */
	bool restore_mapped;      /* restore.c has its store */
	uint64_t forwarded_sp;    /* of the thread whose system call was handed over last */
	uint8_t kernel_intercepts;     /* read by the kernel at each system call (kernel.c) */
	bool use_fork;            /* runs are made by fork */
	uint64_t early_output;    /* bytes printed before the first thread: part of every run */
	uint32_t early_made;      /* blocks allocated before the first thread, in channel.made */
	uint32_t early_notices;   /* of what was wrong before the first thread: part of every run */
	uint64_t batch_at, batch_to; /* batch.c: next schedule, place of the next trace */
	uint64_t runs;            /* made so far: distinguishes the marks of two runs */
	struct rt_stem stem;      /* stem.h */
	struct rt_actor server;   /* the fiber that serves requests; only sp and fs_base count */
	struct rt_saved {         /* what of this struct belongs to a run, as it was at its start */
		struct rt_actor main;
		struct rt_heap heap;
		uint64_t now_ns, rng, alarm_ns;
		const char *ringer;
		uint32_t benign_len;
	} saved;
	_Alignas(16) char server_stack[262144];
	char alt_stack[65536];    /* for signal handlers */
	_Alignas(4096) struct rt_seen seen[RT_SEEN];
};

/* The state is at a fixed address so that reaching it costs no load. */
#define RT ((struct rt *)0x5f0000000000)

/* Set once in the constructor, in ordinary (restored) memory: is RT mapped at all? */
extern bool rt_present __attribute__((visibility("hidden")));

/* The same as the two below, where all state that the caller changes is in the memory of the program, in
 * the actors or in the trace. Every other call of the runtime makes the run loud (stem.h). */
static inline bool rt_active_quietly(void)
{
	return rt_present && RT->phase != RT_PASSIVE;
}

static inline bool rt_running_quietly(void)
{
	return rt_present && RT->phase == RT_RUNNING;
}

static inline bool rt_active(void)
{
	return rt_active_quietly() && (RT->stem.is_loud = true);
}

static inline bool rt_running(void)
{
	return rt_running_quietly() && (RT->stem.is_loud = true);
}

static inline struct rt_actor *rt_self(void)
{
	return &RT->actors[RT->current];
}

/* A model that was called for syscall() finds a place in the runtime as its caller: the place in
 * the program instead (calls/raw.c). */
extern const char rt_raw_returned[] __attribute__((visibility("hidden")));

static inline uint64_t rt_site(uint64_t site)
{
	return __builtin_expect(site == (uint64_t)rt_raw_returned, 0) ? rt_self()->raw_site : site;
}

/* ---- describing and taking a step (sched.c) ---- */

/* A macro, because the compiler makes the value of a function elsewhere and copies it. */
#define rt_event(kind_of_event, site_of_event)                                                     \
	((struct event){                                                                           \
		.kind = (uint16_t)(kind_of_event), .site = rt_site(site_of_event),                    \
		.peer = ACTOR_NONE})

/* The stable name of a thing at an address: the address itself where addresses are
 * fixed, else relative to its module. */
uint64_t rt_name_in_module(const void *thing);

static inline uint64_t rt_name(const void *thing)
{
	return RT->channel->fixed_addresses ? (uint64_t)thing : rt_name_in_module(thing);
}

/* A step on an object of the C library is announced: is it in a block of the heap that was freed
 * (heap.c), or in the stack of another thread (memory.c)? Plain and atomic accesses ask for
 * themselves. */
void rt_heap_check_object(const void *thing, uint64_t object, uint64_t site);
void rt_mem_check_object(const void *thing, uint64_t site);

/* Is the address in the program itself, as its global variables are? */
static inline bool rt_program_has(const void *thing)
{
	const struct channel_module *program = &RT->channel->modules[0];

	return (uint64_t)thing >= program->start && (uint64_t)thing < program->end;
}

static inline void rt_access(struct event *event, enum object_class class, const void *thing,
			     enum access_mode mode)
{
	if (class != OBJECT_MEMORY && (uint64_t)thing - RT_HEAP_BASE < RT_HEAP_SIZE)
		rt_heap_check_object(thing, OBJECT(class, (uint64_t)thing), event->site);
	else if (class != OBJECT_MEMORY && !rt_program_has(thing))
		rt_mem_check_object(thing, event->site);
	event->accesses[event->access_len++] = (struct access){
		.object = OBJECT(class, rt_name(thing)), .mode = mode, .announced = mode};
}

/* The same for objects that are not at an address. */
static inline void rt_access_object(struct event *event, uint64_t object, enum access_mode mode)
{
	event->accesses[event->access_len++] =
		(struct access){.object = object, .mode = mode, .announced = mode};
}

/* The life of a thread, as FINISH, JOIN and DETACH touch it. */
static inline uint64_t rt_actor_object(const struct rt_actor *actor)
{
	return OBJECT(OBJECT_ACTOR, actor->index);
}

/* The timer of a thread. Its expiry carries (this, ACCESS_EXPIRE); a step that can be
 * cut short by the timer, or is opened by it, carries (this, ACCESS_LEAVE). */
static inline uint64_t rt_timer_object(const struct rt_actor *actor)
{
	return OBJECT(OBJECT_CLOCK, actor->index + 1);
}

/* The spurious wake-ups that a run may still have, shared by all actors. */
static inline uint64_t rt_spurious_object(void)
{
	return OBJECT(OBJECT_CLOCK, RT_MAX_ACTORS + 1);
}

/* Announces the step, waits to be chosen, returns the trace's copy of the event for
 * corrections (valid until the next step). In phase ALONE returns a scratch event;
 * if `can` refuses there, the program is stuck in its only thread: it becomes a run. */
struct event *rt_step(const struct event *event, rt_can *can, void *thing);

/* The virtual actor's announcement does not stand any more (its timer is disarmed). */
void rt_withdraw(struct rt_actor *virtual_actor);
/* The owner has taken a step that a signal interrupted, or a step of a handler. Its virtual actors
 * are announced all the time: each could have gone before that step, and is behind it if it goes
 * later. */
void rt_withdraw_and_stay(const struct rt_actor *owner);
/* A timer or a spurious wake-up takes the actor out of the waiting set: the wake-up that it has
 * announced is withdrawn. Called before that. */
void rt_withdraw_wait(struct rt_actor *actor);

/* Adds to the trace a fact that is a bug in any order. `kind`: enum finding_kind. */
void rt_notice(uint32_t kind, uint64_t site, uint64_t object, uint64_t other_site,
	       const char *format, ...) __attribute__((format(printf, 5, 6)));

/* snprintf that is safe at any time (the real vsnprintf, cut to the room). */
void rt_print(char *out, size_t room, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Warns the user, once per text. */
void rt_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A call that is not controlled was made: warns the user once per name, and the verdict is not a
 * proof. For a call that surely breaks determinism use rt_lost. */
void rt_warn_uncontrolled(const char *call);
/* The same of a call that asks for a signal. Where all threads wait afterwards, the signal may be what
 * they wait for: then control is lost, and the wait is not called a deadlock. */
void rt_warn_ringer(const char *call, const char *what);
/* The same for a call at a known place, which the verdict names, too. */
void rt_warn_uncontrolled_at(const char *call, uint64_t site);
_Noreturn void rt_lost(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory restore cannot undo what the program is about to do: the run is made again, and
 * from now on all runs are made, by fork. Called before it is done. */
void rt_need_fork(const char *reason);

/* ---- virtual actors ---- */

/* The owner's virtual actor of that kind (made at first use). */
struct rt_actor *rt_virtual(struct rt_actor *owner, enum actor_kind kind, uint32_t nth);

/* ---- time (time.c) ---- */

/* Arms the actor's timer: its expiry sets timed_out and calls `expire` (may be NULL), and
 * carries the accesses (object, ACCESS_EXPIRE), if object is not 0, and
 * (rt_timer_object(actor), ACCESS_EXPIRE), next to writing the clock. While the actor is
 * in a waiting set the timer can fire only if rt_wait_may_expire(actor). */
void rt_timer_arm(struct rt_actor *actor, uint64_t deadline_ns, uint64_t object,
		  void (*expire)(struct rt_actor *owner));
void rt_timer_disarm(struct rt_actor *actor);

/* Reading the time, and arming or disarming a timer (which of them may fire depends on
 * which are armed; rt_timer_arm and rt_timer_disarm add that access themselves). */
static inline void rt_clock_access(struct event *event, enum access_mode mode)
{
	rt_access_object(event, OBJECT(OBJECT_CLOCK, 0), mode);
}

/* The moment of virtual time (as RT->now_ns) that an absolute time of a clock means; one
 * in the past gives a deadline that has passed. False: the clock or the time is invalid. */
struct timespec;
bool rt_deadline(int clock, const struct timespec *at, uint64_t *deadline_ns);

/* ---- waiting sets with tokens (wait.c): conditions, futexes ---- */

void rt_wait_enter(struct rt_actor *actor, uint64_t object);
/* Gives out tokens to at most n of those waiting on object now; returns how many. */
uint32_t rt_wait_signal(uint64_t object, uint32_t n);
bool rt_wait_has_token(const struct rt_actor *actor); /* may it leave its waiting set? */
/* Takes the oldest token for it, and notes in the current event which signal left it. */
void rt_wait_leave(struct rt_actor *actor);
void rt_wait_name_feeder(const struct rt_actor *actor, struct event *event);
void rt_wait_expire(struct rt_actor *actor);          /* leaves without a token */
bool rt_wait_may_expire(const struct rt_actor *actor); /* or can only it take some token? */

/* Locks held, for reports and misuse. */
void rt_held_add(struct rt_actor *actor, void *thing, uint32_t mode, uint64_t site);
void rt_held_remove(struct rt_actor *actor, const void *thing);
struct rt_held *rt_held_find(struct rt_actor *actor, const void *thing); /* NULL: not held */
/* Reports that the lock is misused, with the place where it was taken if a thread holds it. */
void rt_held_misuse(const void *lock, uint64_t site, const char *what);

/* ---- signals (signal.c) ---- */

/* rt_step where threads send each other signals: the thread looks for signals with each
 * step, also while the step is not possible, and runs handlers before it takes it. */
struct event *rt_signals_step(const struct event *event, rt_can *can, void *thing);

/* Have all other threads been joined? */
bool rt_signals_alone(void);

/* ---- threads (sched.c, fiber.c) ---- */

/* Makes the thread; it will run to its first announcement before the next decision. */
struct rt_actor *rt_thread_new(struct rt_actor *parent);
_Noreturn void rt_thread_finish(void *result); /* of the current thread */
struct rt_actor *rt_thread_of(uint64_t pthread_self_value); /* NULL if unknown */
uint64_t rt_pthread_self(const struct rt_actor *actor);
/* main has returned: reports threads that run and that cannot be joined any more. */
void rt_threads_left_behind(void);

/* The first thread is about to exist: make the rest of the run restartable. */
void rt_begin(void);

/* Fatal signals become CRASH steps from now on. */
void rt_catch_crashes(void);
/* Notes the modules loaded by now, for the tool (init.c). */
void rt_note_modules(void);

/* From now on the end of the program is noticed (exit.c). */
void rt_hook_exit(void);

/* Ends the run from the current actor; announced first, so that others may go.
 * In phase ALONE the program becomes a run of one step at this point. */
_Noreturn void rt_end_run(enum event_kind kind, int code, uint64_t address, uint64_t site,
			  const char *message);

/* Ends the run here and now, from wherever it is. */
_Noreturn void rt_end_now(enum trace_end end, uint32_t actor);

/* A fact was learned (facts table, stack_shared …): explore anew. */
_Noreturn void rt_relearn(void);

/* Keeps the current actor's call stack under a key (stack_keys.h), if stacks are recorded. */
void rt_stack_keep(uint32_t key, uint64_t site);

/* Keeps the callers of the place that allocates a block, before the first thread or if stacks are
 * recorded. */
void rt_stack_keep_made(const void *start, uint64_t site);

/* ---- memory (memory.c, heap.c) ---- */

/* A plain access by the current actor; records it, makes it visible if it must be. */
void rt_plain(const void *address, size_t size, bool is_write, uint64_t site);

/* The same for one that rt_seen_passes (seen.h) has counted and not let pass. */
void rt_plain_noted(const void *address, size_t size, bool is_write, uint64_t site);

/* Adds the accesses of a visible step to memory, named by the units in which these bytes are known
 * to be used; size at most 16. Ends the run as RELEARN when the units have to change. */
void rt_mem_access(struct event *event, const void *address, size_t size, enum access_mode mode);

/* The heap of the current actor (heap.h has the rest). Never in phase PASSIVE. */
void *rt_heap_alloc(size_t size, size_t align, uint64_t site);
void rt_heap_free(void *block, uint64_t site);
size_t rt_heap_size(const void *block);

/* The current actor did something that others could see: the turn of its loop is not void. */
static inline void rt_turn_wrote(void)
{
	rt_self()->turn.wrote = true;
}

#endif
