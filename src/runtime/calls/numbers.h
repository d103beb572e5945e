/* numbers.h: the numbers of descriptors.
 *
 * All threads take numbers from one set, and the kernel gives the lowest that is free. So each call
 * that takes or frees a number is a step that writes the object "numbers of descriptors".
 *
 *     T1: close(5); close(5);        T2: fd = open(…); read(fd, …);
 *     T2 may get the number 5 between the two closes: the second close then closes T2's file.
 *
 * A call that uses a number (read, write …) depends on that object only where it can matter: where
 * a thread uses or closes a number that is not open, or that another thread has opened or used. The
 * first run that does it sets channel.number_is_event, and the search begins anew (END_RELEARN).
 * From then on each use is two steps, as in the kernel. The first one finds the open file of the
 * number and keeps it open by a descriptor of ours. The second one acts on that file, also if the
 * number was closed in between.
 *
 * Without the flag no two steps are exchanged wrongly: a use of number n and a close of n by
 * another thread, or an open by another thread that returns n, set the flag in both orders.
 */
#ifndef RUNTIME_CALLS_NUMBERS_H
#define RUNTIME_CALLS_NUMBERS_H

#include "runtime/rt.h"

/* The object that calls write which take or free numbers. */
uint64_t rt_numbers(void);

/* The step of a call that takes a number. */
void rt_numbers_step(uint64_t site);

/* The number was just given to the current thread; returns it. */
int rt_number_taken(int fd);

/* A call that takes a number has returned this. Warns if the limit of the system refused a number:
 * the program fails for a reason that is not its own. Returns the result and keeps errno. */
int rt_number_refused(int result);

/* After the step of a call that closes the number, which other threads may have begun to use while
 * the call waited for its turn. */
void rt_number_closes(int fd);

/* Before the steps of a call that uses the number: the number to use in its place, -1 if it is not
 * open. rt_number_done() at the end of the call takes both and returns the result of the call. */
int rt_number_use(int fd, uint64_t site);
/* The same for a call that is over at once, without steps of its own: it uses the number itself. */
void rt_number_look(int fd, uint64_t site);
void rt_number_looked(int fd); /* notes the use: the caller's step depends on the numbers */
int rt_number_hold(int fd); /* the same without a step */
long rt_number_done(int used, int fd, long result);

/* Nothing is known of any number: a run begins. */
void rt_numbers_begin(void);

#endif
