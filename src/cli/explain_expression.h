/* explain_expression.h: the expression by which a line of C or C++ names a lock or an atomic.
 *
 *	pthread_mutex_lock(&q->lock);                 q->lock
 *	std::lock_guard<std::mutex> guard(pool.m);    pool.m
 *	n = head_.load(std::memory_order_acquire);    head_
 *
 * It is for objects on the heap and on stacks, which have no name in the debug information. A line
 * that is not understood gives nothing. */
#ifndef CLI_EXPLAIN_EXPRESSION_H
#define CLI_EXPLAIN_EXPRESSION_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Appends the expression of the line; false, and nothing is appended, if there is none. */
bool expression_in(const char *line, struct strbuf *out);

#endif
