/* conduct.h: one run of the machine under a schedule.
 *
 * Every explored process, every timer that may fire and every channel with a signal on its way is
 * an actor. Its slot holds the event that the actor has announced, whether it could go now, and how
 * many events it has had. In one step the follower picks an actor, the event is corrected to what
 * will happen, and the VM takes the step. Then every actor that the step touched (the actor itself,
 * new processes, processes that got a message or signal, timers) announces its next event.
 *
 * A receive is enabled when the mailbox holds a message that its patterns take (probe.h), or when
 * the receive does not wait. A timeout is a step of the timer: it ends the wait and lets the
 * process go on. An exit signal that ends a process replaces the announced event of that process by
 * its death; the announced event stays in the trace as withdrawn.
 */
#ifndef BEAM_CONDUCT_H
#define BEAM_CONDUCT_H

#include "base/map.h"
#include "base/vec.h"
#include "beam/announce.h"
#include "beam/observe.h"
#include "beam/sites.h"
#include "beam/standing.h"
#include "beam/stem.h"
#include "beam/describe.h"
#include "beam/watch.h"
#include "core/follower.h"
#include "core/trace.h"
#include "vm/process/timer.h"

enum slot_wait {
	SLOT_NONE,    /* nothing announced: ended, or a timer that is not armed */
	SLOT_READY,   /* can go */
	SLOT_RECEIVE, /* in a receive, no message that matches yet */
	SLOT_QUEUED,  /* waits inside a native function until it is woken */
	SLOT_SETTLE,  /* asks about a process: waits for signals on their way there */
	SLOT_TIMER,   /* a short timer: may fire when no earlier one is armed */
	SLOT_IDLE,    /* a long one: fires when no other actor can go */
};

/* Polling: see turn.h. */
struct turn {
	uint64_t state;      /* of the process at an earlier wait, which was before event `from` */
	uint64_t deadline_ns; /* of its timer when it was parked */
	uint32_t from, until; /* of a void turn: its events */
	size_t messages;     /* in the mailbox of the parked process when it was looked at last */
	uint32_t waits, waits_max; /* so many waits since then, and after how many the next is kept */
	bool is_parked;        /* its last turn was void */
	bool is_woken;       /* and what it looked at has changed since */
};

struct slot {
	struct event announced;
	struct process *process; /* NULL for timers and when it has ended */
	struct timer *timer;
	struct mailbox transit;  /* of a channel: what it has to deliver */
	struct message *match;   /* what a receive that can go will take; NULL: it times out */
	const word *last_ip;     /* where its last event was */
	uint32_t last_step;      /* and which one that was */
	uint32_t unplaced;       /* a receive of a library whose line is not yet known, plus one; 0: none */
	const word *last_receive; /* site of the last receive that took a message */
	uint64_t timeout_ms;     /* of a receive that has not begun to wait; 0 none */
	uint32_t rounds;         /* how often in a row it was the same */
	uint32_t receives;       /* chain of its receives: observe.h */
	uint32_t children;
	uint32_t asked;          /* the actor to which its last step sent a request, plus one */
	uint32_t ordinal;
	uint32_t announced_at;   /* steps taken when its process was asked last */
	uint8_t wait;            /* enum slot_wait; conduct_set_wait */
	bool is_killed;          /* a signal has ended it; its death is announced */
	bool has_ended_itself;   /* by a signal that it sent to itself */
	bool was_heard;          /* a process that is prepared has got the news of its end */
	bool is_seen;            /* while timers are looked through */
	bool has_trapped;        /* it trapped exits when it ended */
	bool is_retry;           /* of a timer: a refused transaction of Mnesia sleeps */
	bool has_lived;          /* there has been such a process in this run */
	struct turn turn;
	struct event hidden;     /* a question that waited when its process was ended */
	term hidden_pid;         /* the process it is about; 0 when there was no such question */
	uint32_t hidden_step;    /* the step that ended its process */
	uint32_t hidden_left;    /* signals that it waited for and that have not arrived */
};

struct conduct_options {
	uint64_t timeouts_ms; /* as --timeouts; UINT64_MAX any */
	uint32_t max_steps;
	double step_seconds;  /* as --step-time */
	uint32_t stuck;       /* enum stuck_rule */
	bool exits_any;       /* also exits that another process handles or causes */
	bool after_end;       /* timers fire also when the test has ended */
	bool io_ordered;      /* the order of output matters */
	bool is_async;        /* signals arrive at any time: --delivery async */
	bool is_suite;        /* the test is one of EUnit or ExUnit: only a return is a success */
	bool count_blocks;  /* beginning to wait is a step, as in the Concuerror paper's Figure 8 */
	const char *atomic; /* modules, by commas, calls into which are one step; NULL none */
	const char *normal_exit; /* patterns of reasons that are not findings (reason.h); or NULL */
	struct watch *watch;     /* pairs of places to watch; NULL none */
};

/* How many turns of the machine a step may take (vm->turns_max). */
uint64_t conduct_step_turns(const struct conduct_options *options);

/* The reason with which a process has ended, as a hash. */
struct end_reason {
	uint64_t hash;
	uint32_t actor;
};

struct conductor {
	struct conduct_options options;
	/* known for the whole exploration */
	struct objects objects;
	struct sites sites;
	struct standing standing;
	VEC(struct actor) actors;
	VEC(uint64_t) pids; /* value of the pid of each real actor */
	struct map pid_index; /* and back: plus one */
	struct map actor_index;
	uint32_t timer_owner;   /* the actor that armed a timer last, plus one */
	bool has_short_timer;   /* in some run: a timer shorter than --timeouts, */
	bool has_other_timers;  /* timers of several processes in some run, */
	bool has_waits;         /* and a timer that is not the end of a short sleep in some run */
	uint32_t words; /* of a set of actors */
	struct strbuf warnings; /* one to a line */
	struct map warned;      /* actors that left messages unread in some run */
	/* of the run */
	VEC(struct slot) slots;
	VEC(struct event) events;
	VEC(uint64_t) enabled; /* words per step */
	VEC(uint64_t) astir;   /* set of those whose wait may let them go now */
	VEC(struct event) pending;
	VEC(struct withdrawn) withdrawn;
	VEC(uint32_t) withdrawn_nodes;
	struct notice_vec notices;
	VEC(struct death) deaths;
	VEC(struct death) handled; /* ends that others have handled, if wants_places */
	VEC(struct end_reason) reasons; /* of all ends that were not normal, if wants_places */
	VEC(struct waiter) waiters;
	VEC(struct wait) waits;
	struct observation observation;
	struct follower follower;
	struct vm *vm;
	VEC(uint32_t) armed;    /* actors of timers */
	uint64_t timer_changes; /* of the VM's queue, when it was looked at last */
	uint32_t own_signals;   /* answers on their way from a process to itself: signal.h */
	uint32_t void_turns;    /* that happened and count (turn.h) */
	struct stems stems;
	struct strbuf *output; /* of the run so far; NULL: runs always begin at the start */
	uint64_t assumed;
	uint32_t end; /* enum trace_end, once is_over */
	bool is_over;
	const char *lost; /* the run broke a promise of this target: why; else NULL */
	uint32_t endless_actor; /* at END_SILENT: the process that makes calls without end, */
	uint64_t endless_site;  /* and the place where it was seen last */
	struct descriptions descriptions;
	bool wants_places; /* events are described in words and placed in the program's own code:
			      slower, for reports */
	bool must_relearn; /* more actors than a set has room for */
};

/* The index of an actor, new ones are added. */
uint32_t conductor_actor(struct conductor *c, uint32_t parent, enum actor_kind kind, uint32_t nth);

/* Is there such an actor already? */
bool conductor_knows(const struct conductor *c, uint32_t parent, enum actor_kind kind,
		     uint32_t nth);

/* The machine is restored and the test's process spawned: follows the schedule to the end. */
void conduct(struct conductor *c, const struct schedule *schedule, struct trace *trace);
/* The same from where a stem ends: stems_return has been called. */
void conduct_on(struct conductor *c, struct trace *trace);
void conductor_release(struct conductor *c);

#endif
