/* waiter_pool.h: the counts of waiting threads in libstdc++ up to version 15.
 *
 * std::atomic::wait adds one to a count that belongs to the address while it waits, and notify does
 * not wake anybody if the count is 0. The function notify() loads the count as seq_cst, but the
 * program's store before it may be weaker. Then C11 (and x86) let the load of 0 come before the
 * store. So the waiting thread has seen the old value and is never woken.
 *
 *	T1: x.store(1, relaxed)      T2: count += 1 (seq_cst)
 *	    if (count == 0) return       if (x == 0) sleep until woken
 *
 * The C++ standard promises that a notification after the store wakes the thread. Under a weak
 * memory model wait and notify do what the standard promises: the count is not an atomic variable
 * of the search, and notify always finds that threads wait. The finding above is one of the library
 * and not of the program.
 */
#ifndef RUNTIME_WAITER_POOL_H
#define RUNTIME_WAITER_POOL_H

#include <stdbool.h>
#include <stdint.h>

/* Is it such a count? */
bool rt_is_waiter_count(const volatile void *address);

#endif
