/* identity.h: the numbers of the process and of its threads.
 *
 * The kernel gives out other numbers every time a program is started, so a program that hashes or
 * prints its own number would not do the same in a test and in the replay of a finding. Under
 * control a program has a fixed number, and so has its parent; a thread has a number that follows
 * from its place in the tree of threads:
 *
 *     P1 5000000, P1.1 5000001, P1.2 5000002, P1.1.1 5000065
 *
 * All of them are larger than any number that the kernel gives out. A call that takes such a number
 * and is not translated here fails; it never reaches a process outside the program.
 */
#ifndef RUNTIME_CALLS_IDENTITY_H
#define RUNTIME_CALLS_IDENTITY_H

#include "runtime/rt.h"

enum { RT_PID = 5000000, RT_PARENT_PID = RT_PID - 1 };

/* The number that gettid() returns in a thread. */
int rt_thread_number(const struct rt_actor *actor);

/* The thread with that number; NULL if it does not exist in this run. */
struct rt_actor *rt_thread_numbered(int number);

/* The number for the kernel: that of the real process instead of one of ours. Every thread of the
 * program is the same thread of the kernel. */
long rt_kernel_number(long number);

/* In a child that is not controlled: the kernel's number of its parent, which the child knows as
 * RT_PID. 0 in every other process. */
int rt_parent_apart(void);

#endif
