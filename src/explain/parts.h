/* parts.h: shared by the files that put a finding into words.
 *
 * explain.c  the steps, and the finding as a whole
 * bytes.c    binaries of Erlang as the program writes them
 * calls.c    steps of C and C++ that have words of their own
 * condition.c  why a thread waits on a condition for ever
 * leak.c     the last pointer to a block that is not freed
 * futex.c    threads that wait for a word in memory to change
 * spin.c     loops that wait for a change that no actor will make
 * misuse.c   who else has a part in the misuse of a lock or a condition
 * library.c  calls of the C library on things that have no names in the program
 * swapped.c  a compare-and-swap of a value that has come back
 * terminate.c  why a C++ program ended itself
 * unanswered.c  why a call of a server was not answered in time
 * descriptor.c  pipes and the like by the variables of their descriptors
 * container.c  the nodes of lists and trees of the C++ library
 * waiting.c  semaphores, barriers, and locks that a handler of a signal takes
 * place.c    places, call stacks and values
 * helper.c   functions that take or give back a lock for their caller
 * plain.c    accesses to memory between the steps
 * object.c   locks, conditions and variables
 * sites.c    the places that belong to the bug, with the locks held there
 * message.c  the sentence that says what went wrong
 * reversed.c the sentence about the two steps whose order matters
 * process.c  the same for processes that ended badly or wait for ever
 * fold.c     the four steps of a call of a server
 * told.c     whether another process hears of an end
 * names.c    names of actors and of objects without a name of their own
 * slice.c    the steps that matter
 *
 * While a finding is explained an actor is called by its place in the spawn tree ("P1.2"); at the
 * end all texts get the names that people use (names_replace).
 */
#ifndef EXPLAIN_PARTS_H
#define EXPLAIN_PARTS_H

#include "explain/names.h"
#include "explore/found.h"
#include "report/report.h"

enum { FRAMES_MAX = 32, LOCKS_MAX = 32, HELPERS_MAX = 32 };

struct explainer {
	struct target *target;
	const struct trace *trace;
	struct arena *arena;
	struct report_finding *out;
	struct names names;
	bool *shared_plains; /* by plain access: shown between the steps; NULL: none is */
	uint32_t shared_len;
	const char *last_file, *last_path; /* the last answer of explain_source_path */
	struct object_name *objects; /* of the steps, each with a name of its own; NULL: not yet made */
	uint32_t objects_len;
	const char *same_time; /* the timer of the passing run that is due with the first step; or NULL */
	const char *passing_step; /* the second step of the pair as the passing run has it; or NULL */
	uint32_t
		ending; /* the thread whose end is shown (explain_ending), or ACTOR_NONE */
	uint32_t passing_ordinal; /* of that step, if out->passing is there */
	struct trace *passing; /* the nearest passing run; or NULL */
	struct helper *helpers; /* functions that take or give back locks (helper.c); NULL: not yet known */
	uint32_t helpers_len;
};

struct helper {
	const char *function;
	const char *caller; /* one of them, and its line */
	unsigned line;
	bool is_helper;	  /* it returns with the lock that it took, or gives back one that it did not take */
	bool is_other;	  /* it does more */
	bool has_callers; /* several */
};

struct object_name {
	uint64_t object;
	const char *text;
	bool is_inside; /* a class of a library (explain_is_inside) */
};

struct held_lock {
	uint64_t object;
	uint32_t step; /* that took it */
};

/* ---- explain.c ---- */

/* A step in words: "lock m", "read counter = 3"; with REPORT_NO_STEP one that was announced. */
const char *explain_step(struct explainer *x, const struct event *event, uint32_t step);

/* The name of an object, or "memory" if that is an address, which says nothing. */
const char *explain_name_or_memory(const char *name);

/* Is it a file of a library that every call goes through, such as gen_server.erl? */
bool explain_is_framework(const char *file);

/* Adds a row in the column of the actor; `step` may be REPORT_BETWEEN or REPORT_NO_STEP. */
struct report_event *explain_row(struct explainer *x, uint32_t step, uint32_t actor,
				 const char *text, struct report_frame at);

/* ---- plain.c ---- */

/* Decides which accesses are shown, before things are named, because alike ones are numbered. In a
 * program whose variables are protected by locks the steps are the locks; the accesses say what the
 * locks are for. */
void explain_choose_plains(struct explainer *x, const struct finding *finding);
/* Behind the words of an access to memory that was freed: its name is known, or only its size. */
#define EXPLAIN_FREED " (freed)"
#define EXPLAIN_WAS_FREED " that was freed"
/* Of a use of freed memory: the access that freed the block, or plains_len if it is not known. */
uint32_t explain_freeing(const struct explainer *x, const struct finding *finding);
/* The last access that frees a block in which the object is, or plains_len or more. */
uint32_t explain_last_freeing(const struct trace *t, uint64_t object);
/* Does the access free the text of strerror(), which the C library does at the end of the thread that called it? */
bool explain_is_freed_at_end(const struct trace *t, uint32_t freeing);
/* Is the object in such a text? */
bool explain_is_text_of_thread(const struct trace *t, uint64_t object);
#define EXPLAIN_TEXT "a text of strerror()"
/* Do the access that frees a block and, behind it, its use come between the same two steps, before step number `step`? The
 * use may also be that step itself. */
bool explain_is_use_behind(const struct explainer *x, const struct finding *finding, uint32_t step);
/* The same for the access that uses the freed block. */
uint32_t explain_using(const struct explainer *x, const struct finding *finding);
/* Adds rows for the chosen ones of the accesses number `from` to `end` - 1 that came right before the step. */
void explain_plains(struct explainer *x, uint32_t step, uint32_t from, uint32_t end);

/* ---- calls.c ---- */

/* Appends the words of a step that has its own; false, and nothing is appended, if it has none. */
bool explain_call(struct explainer *x, const struct event *event, struct strbuf *out);
/* Does the step end the program? Only one thread can do that, so the others wait. */
bool explain_is_exit(struct explainer *x, const struct event *event);
/* Is it a call of the kernel for which no object stands? The words for it are its line. */
bool explain_is_system_call(const struct event *event);
/* Did a signal of the operating system come before the step, which was not taken then? */
bool explain_meets_signal(const struct event *event);
/* Is it a call that takes a signal itself, such as sigwait(), or sigprocmask() before it blocks the signal? */
bool explain_takes_signal(const struct event *event);
/* The handler in which the actor waits at the end, and the step before which its signal came; NULL if it does not. */
const char *explain_interrupting(struct explainer *x, uint32_t actor, uint32_t *step);
/* Appends the words of such a step. */
void explain_met_signal(struct explainer *x, const struct event *event, struct strbuf *out);
/* Is it a cancellation point at which the thread was cancelled? */
bool explain_is_cancelled(const struct event *event);
/* The actor that an EVENT_CANCEL cancels; ACTOR_NONE if it is not known. */
uint32_t explain_cancelled(const struct explainer *x, const struct event *cancel);
/* The words of a step that was announced and is perhaps never taken: "lock m". */
const char *explain_announced(struct explainer *x, const struct event *event);

/* ---- condition.c ---- */

/* "waits on condition c, and …": why no signal came for the actor that would take this event. */
void explain_unsignalled(struct explainer *x, const struct event *event, struct strbuf *out);

/* ---- futex.c ---- */

/* Appends "futex-wait flag while it is 1"; false, and nothing is appended, if the value is not known. */
bool explain_futex_wait(struct explainer *x, const struct event *event, struct strbuf *out);
/* The futex of the same word for calls that are private, of one for those that are not; and the other way round. */
uint64_t explain_other_futex(uint64_t futex);
/* Of a wait that has not ended: appends the thread that woke waiters by the other kind of call, if
 * there was one. */
void explain_other_wake(struct explainer *x, const struct event *wait, struct strbuf *out);
/* Appends " while flag is 1 (it is 2 since step 59)" of an actor that waits, if that is known. */
void explain_futex(struct explainer *x, uint32_t actor, struct strbuf *out);

/* ---- leak.c ---- */

/* Appends ". The last pointer to it was in head, which push#2 overwrites at q.c:31", or ". At the end head
 * still points to it", of a block that was allocated there and is not freed, if that is known. */
void explain_lost_pointer(struct explainer *x, const struct report_frame *allocated,
			  struct strbuf *out);

/* ---- bytes.c ---- */

/* The text with <<"one">> for <<111,110,101>>. */
const char *explain_bytes(const char *text, struct arena *arena);

/* ---- spin.c ---- */

/* The sentences about a livelock: who loops, where, and what the loop finds. False if it is not a loop that waits. */
bool explain_loop(struct explainer *x, const struct finding *finding, struct strbuf *out);
/* Does the process look again and again, with a timeout, at something that does not change any more? */
bool explain_is_polling(const struct trace *t, uint32_t actor);
/* The first step from `from` on that sent it a message which it never takes; or REPORT_NO_STEP. */
uint32_t explain_unread(const struct trace *t, uint32_t actor, uint32_t from);
/* Appends the sentences about such a process. */
void explain_polling(struct explainer *x, uint32_t actor, struct strbuf *out);

/* ---- misuse.c ---- */

/* Appends the other partner of a misuse, if it is known: "; main locked it at pool.c:13". */
void explain_misuse(struct explainer *x, const struct finding *finding, struct strbuf *out);
/* Gives the first site of a misuse the step that is the misuse, if there is one, or that took the lock with which
 * the thread ends. */
void explain_misuse_step(const struct explainer *x, struct finding *finding);
/* Is the site a misuse that is not a step? It came behind the step of the site, which any thread may have taken. */
bool explain_is_noticed_behind(const struct explainer *x, const struct finding *finding,
			       const struct finding_site *site);
/* Of a thread that is joined or detached twice: the first step that did so; else REPORT_NO_STEP. */
uint32_t explain_earlier_join(const struct trace *t, const struct finding *finding);
/* Of a use of freed memory that is a step, such as to unlock a mutex: the step, which the actor takes next; else NULL. */
const struct event *explain_used_step(const struct explainer *x, const struct finding *finding);
/* Does a step use a lock, a condition, … whose memory another thread takes away? */
bool explain_is_object_use(const struct explainer *x, const struct finding *finding);
/* How it does so: "writes over cond". */
const char *explain_taking_away(struct explainer *x, const struct finding *finding);
/* "main writes over cond at gate.c:24, and user uses it at gate.c:52 (broadcast cond). Nothing orders the two." */
void explain_object_use(struct explainer *x, const struct finding *finding, struct strbuf *out);

/* ---- library.c ---- */

/* Is it a step on files, the numbers of descriptors, the clock or variables of the C library? */
bool explain_is_of_library_state(struct explainer *x, const struct event *event);
/* Appends the call of such a step, "unlink(path)"; false, and nothing is appended, if it is another step. */
bool explain_library_call(struct explainer *x, const struct event *event, struct strbuf *out);

/* ---- swapped.c ---- */

/* "The compare-and-swap of step 17 succeeds although head has changed …"; NULL if it is not so. */
const char *explain_swapped(struct explainer *x, uint32_t step);

/* ---- terminate.c ---- */

/* The words that name the cause of std::terminate(), for the end of its message; "" if it is not known. */
const char *explain_terminate(struct explainer *x, const struct finding *finding);
/* Why the program aborted, briefly; NULL if the step need not say it. */
const char *explain_abort(struct explainer *x);

/* ---- unanswered.c ---- */

/* Appends why the call that the process had made was not answered before the step. Nothing if it had not made one. */
void explain_unanswered(struct explainer *x, uint32_t caller, uint32_t before, struct strbuf *out);

/* ---- place.c ---- */

const char *explain_actor(struct explainer *x, uint32_t actor); /* "P1.2"; NULL for ACTOR_NONE */

/* The call stack, without the frames of a library around the user's outermost function. `key` is
 * the first argument of the target's stack(). */
uint32_t explain_stack(struct target *target, uint32_t key, uint32_t actor,
		       struct target_frame frames[FRAMES_MAX]);
/* Copies the strings, because the report outlives the target. */
struct report_frame explain_frame(struct explainer *x, const struct target_frame *frame);
/* The text with "server:run/1" instead of "server:'-run/1-fun-0-'/2". */
const char *explain_tidy(struct explainer *x, const char *text);
/* The place of a step: the innermost line of the user's own code on the stack. */
struct report_frame explain_place(struct explainer *x, uint64_t site, uint32_t key, uint32_t actor);
/* The same, or the line that calls a function which only takes or gives back a lock for its caller (helper.c). */
struct report_frame explain_caller_place(struct explainer *x, uint64_t site, uint32_t key, uint32_t actor);
/* The path of a source file, if the target knows a longer one; else NULL. */
const char *explain_source_path(struct explainer *x, const char *file);
/* "bank.c:12" */
const char *explain_place_text(struct explainer *x, const struct report_frame *at);
/* Appends the line, without its newline; nothing if it cannot be read. */
void explain_read_line(const struct report_frame *at, struct strbuf *out);
/* The source line, without blanks around it; NULL if it cannot be read or is long. */
const char *explain_line(struct explainer *x, const struct report_frame *at);
/* Is it a memory access that a library made for itself, such as the count of a shared_ptr? */
bool explain_is_of_library(struct explainer *x, uint32_t step);

/* The index of the first frame in the user's own code, or `len`. */
uint32_t explain_find_user(const struct target_frame *frames, uint32_t len);
/* Is it in the program's own code, not in a library? */
bool explain_is_user(const struct target_frame *frame);
/* " = 3" of a load or store, " 3 → 4" of an update; nothing if the value is not known. */
void explain_value(struct explainer *x, uint32_t step, struct strbuf *out);

/* The same of a plain access: " = 3" that it read or wrote; of an update, which is a read and this
 * write, " 3 → 4". */
const char *explain_plain_value(struct explainer *x, uint32_t plain, bool is_update);

/* ---- object.c ---- */

/* "balance"; of two things that the source calls alike, "from->lock#1" and "from->lock#2". */
const char *explain_object(struct explainer *x, uint64_t object);
/* Is the name of an object only an address, a class, or a block without a type? */
bool explain_is_unnamed(const char *name);
/* Is it what a team of OpenMP threads shares behind the program's back? */
bool explain_is_team(const char *name);
/* Is it the name of the state that a std::future shares with the function that computes its value? */
bool explain_is_future(const char *name);
/* Is the object inside a class of a library, such as the length of a std::vector? Its name is then that
 * of the whole, and its value means nothing to the reader. */
bool explain_is_inside(struct explainer *x, uint64_t object);
/* Is it an event that accesses memory, and not a lock or the like? */
bool explain_is_memory(uint32_t kind);

/* The length of "std::map<std::string, int>" in "std::map<std::string, int>::operator[]"; 0 if the function is not of
 * such a class. */
size_t explain_class_len(const char *function);

/* ---- waiting.c ---- */

/* Appends "waits for semaphore full, which read posts at q.c:29", or what else is known of who posts it. */
void explain_semaphore(struct explainer *x, const struct event *wait, struct strbuf *out);
/* Appends "waits at barrier b, which is for 3 threads; 1 of them has arrived, and no more will". */
void explain_barrier(struct explainer *x, const struct event *leave, const char *name, struct strbuf *out);
/* Is it a step on a read-write lock that prefers writers, which does not take the lock but gets in its queue? */
bool explain_enters_queue(const struct event *event);
/* That step of the actor that would take the event, if it waits in such a queue; else NULL. */
const struct event *explain_queued(const struct explainer *x, const struct event *wait);
/* Appends "waits to lock config for reading behind store, which waits to lock it for writing", of such an actor. */
void explain_queue(struct explainer *x, const struct event *queued, struct strbuf *out);
/* Appends which handler waits for the lock of its own thread, if one does. */
void explain_interrupted(struct explainer *x, uint32_t actor, uint64_t object, struct strbuf *out);

/* ---- descriptor.c ---- */

/* Appends "pipe requests", "eventfd done" or, if the lines of its steps do not agree, "pipe 1 of P1". */
void explain_descriptor(struct explainer *x, uint64_t object, struct strbuf *out);
/* The step of another thread that would end the wait: "write to it". */
const char *explain_end_of_io(struct explainer *x, const struct event *event);

/* ---- container.c ---- */

/* Appends "a node of jobs" or "a node of a std::list<int>" of memory in a node that a list or tree of the C++ library
 * has allocated; false, and nothing is appended, if it is not known to be one. */
bool explain_node(struct explainer *x, uint64_t object, const struct target_block *block,
		  struct strbuf *out);
/* Is it in the element of a node, and not in one of its links? The program may have a name for that. */
bool explain_is_inside_node(const struct target_block *block);
/* Is it such a name? All nodes of a container have the same. */
bool explain_is_node(const char *name);

/* ---- sites.c ---- */

/* Behind the name of a lock that is held. */
#define EXPLAIN_TAKEN_AT " (taken at "

/* The number of steps before an access that is not a step itself: a plain access of a race, or a
 * use of freed memory or a misuse, which are recorded with the step before them. REPORT_NO_STEP if the
 * site is a step. */
uint32_t explain_access_time(const struct explainer *x, const struct finding *finding,
			     const struct finding_site *site);
/* Is it a misuse, or the lock that is misused, before the first thread? Steps begin with that. */
bool explain_is_before_steps(const struct finding *finding, const struct finding_site *site);
/* The locks an actor held when it took step number `before`, by following its steps. */
uint32_t explain_locks(const struct trace *t, uint32_t actor, uint32_t before,
		       struct held_lock held[LOCKS_MAX]);
void explain_sites(struct explainer *x, const struct finding *finding);

/* ---- message.c ---- */

const char *explain_message(struct explainer *x, const struct finding *finding);
/* A set of enum trace_assumed: "no spurious wake-ups, instant delivery"; NULL if it has no text. */
const char *explain_assumptions(uint64_t assumed, struct arena *arena);
/* The step that the actor would take next when the run ended, or NULL. */
const struct event *explain_pending(const struct trace *trace, uint32_t actor);
/* The role of an actor that waits at the end: "holds a and waits for b"; NULL if it does not. */
const char *explain_wait(struct explainer *x, uint32_t actor);
/* Does the actor wait, by way of others, for itself? */
bool explain_is_in_circle(const struct trace *t, uint32_t actor);
/* The actors that wait at the end of a run without progress, and for which actor each waits. */
void explain_waits(struct explainer *x, const struct finding *finding);

/* ---- reversed.c ---- */

/* For an actor that waits for a semaphore for ever: a post that another actor makes in the passing run, and does
 * not come to in this run because it waits as well. Returns the row of the passing run, or NULL. */
const struct report_event *explain_post(struct explainer *x, const struct event *wait);

/* Is the second step of the pair a step of the failing run, too? */
bool explain_has_second(struct explainer *x, const struct found *found);
/* "Had step 7 (…) come before step 4 (…), the run would have ended well."; NULL if not known. */
const char *explain_order(struct explainer *x, const struct found *found);
/* A thread that ends because of what it found in the second step: it has not written anything since, and only gave back
 * its locks; ACTOR_NONE if it is not so. */
uint32_t explain_ending(struct explainer *x, const struct found *found);
/* An actor that is not there yet in this run, but takes the second step of the pair in the passing one, gets its name and
 * a column of its own. */
void explain_name_missing(struct explainer *x, const struct found *found);
/* Adds a row for the second step if its actor did not come to it. */
void explain_not_reached(struct explainer *x, const struct found *found);

/* ---- process.c ---- */

/* The process for which a process waits at the end, or ACTOR_NONE. */
uint32_t explain_waited_for(const struct trace *trace, uint32_t actor);
/* The patterns of the receive in which the actor waits at the end; "" if they are not known. */
const char *explain_patterns(const struct trace *trace, uint32_t actor);
/* Does the finding say that a process waits for ever, and has the test ended before? */
bool explain_is_left(const struct trace *trace, const struct finding *finding);
/* Is waiter number i one of the few that are shown because the actor waits for ever? */
bool explain_waits_too(const struct trace *trace, uint32_t i, uint32_t actor);
/* The step at which the receiver takes the message; REPORT_NO_STEP if it does not. */
uint32_t explain_taken_at(const struct trace *trace, const struct event *send);
/* The step at which the receiver ends; REPORT_NO_STEP if it does not. */
uint32_t explain_ended_at(const struct trace *trace, const struct event *send);
/* Of a message that its receiver did not take: the step at which the receiver ends; else REPORT_NO_STEP. */
uint32_t explain_lost_at(const struct trace *trace, uint32_t send);
/* Where a process was that has ended by itself and badly; else 0. */
uint64_t explain_end_site(struct explainer *x, uint32_t actor);
/* The last message that the actor sent, in words, and the step; NULL if it sent none. */
/* The message of a step that sends one, not terminated; NULL if its words are others. */
const char *explain_message_sent(struct explainer *x, uint32_t send, int *len);
const char *explain_last_sent(struct explainer *x, uint32_t actor, uint32_t *step);
/* Processes that wait for each other in a circle. */
void explain_circle(struct explainer *x, const struct finding *finding, struct strbuf *out);
/* A process that ended badly or waits for ever, and those that did so because of it. */
void explain_process(struct explainer *x, const struct finding *finding, struct strbuf *out);
/* A property that is false or raises, with the values for which it does. */
void explain_property(struct explainer *x, const struct finding *finding, struct strbuf *out);
/* If another process failed first, and the end of this one is a consequence: its place instead. */
void explain_head(struct explainer *x, struct finding *finding);

/* ---- told.c ---- */

/* Is only a library interested in the step? */
bool explain_is_of_framework(struct explainer *x, uint32_t step);
/* Appends that no process hears of the end, and which one would have heard of it earlier; nothing
 * if an end is reported anyway. */
void explain_told(struct explainer *x, const struct death *death, struct strbuf *out);

/* ---- fold.c ---- */

/* Adds the reply of a server to the row in which it takes the call, and takes the rows that this makes superfluous out of
 * `kept`. Both arrays are by step; a step that is essential stays. */
void explain_fold_calls(struct explainer *x, bool *kept, const bool *essential);

/* ---- slice.c ---- */

/* Sets in_slice of the rows; `finding` is that of `found`, with the places that are shown. */
void explain_slice(struct explainer *x, const struct found *found, const struct finding *finding);

#endif
