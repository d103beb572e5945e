/* expression.h: the expression by which a line of C or C++ names a lock or an atomic.
 *
 *	pthread_mutex_lock(&q->lock);                 q->lock
 *	std::lock_guard<std::mutex> guard(pool.m);    pool.m
 *	n = head_.load(std::memory_order_acquire);    head_
 *
 * It is for objects on the heap and on stacks, which have no name in the debug information. A line
 * that is not understood gives nothing. */
#ifndef EXPLAIN_EXPRESSION_H
#define EXPLAIN_EXPRESSION_H

#include <stdbool.h>

#include "base/strbuf.h"

enum expression_kind { EXPRESSION_ANY, EXPRESSION_LOCK, EXPRESSION_CONDITION };

/* Appends the expression of the line; false if not found, and nothing is appended. On the line
 * `{ std::lock_guard<std::mutex> g(m); n++; } changed.notify_one();` the lock is m, and the condition
 * is changed. */
bool expression_in(const char *line, enum expression_kind kind, struct strbuf *out);

/* The same for an atomic variable: only of a line that has exactly one operation on one. On the line
 * `changed.wait(lock, [&] { return stopping; })` the load of `stopping` is not named. */
bool expression_of_atomic(const char *line, struct strbuf *out);

/* The same for a line that writes exactly one thing without naming a function: "opened" of `opened++;`,
 * "d->written" of `d->written = d->written + n;`. */
bool expression_written(const char *line, struct strbuf *out);

#endif
