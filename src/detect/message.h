/* message.h: messages compared by their meaning.
 *
 * Two findings at one place can have different reasons (an Erlang process exits with {error, a} or
 * with {error, b}), and then they are two findings. But a number in the message (a line, an
 * address, a process identifier, a counter) changes with the schedule and with every edit of the
 * program, and does not make another finding.
 */
#ifndef DETECT_MESSAGE_H
#define DETECT_MESSAGE_H

#include <stdint.h>

/* A hash of the message with every number taken for the same one, except an exit status. */
uint64_t message_hash(const char *message);

/* The same for the reason of a failure, in which some numbers are part of the program's own words and
 * count: those of an assertion's text, and small ones that are a term or an element of one.
 *
 *     exits with {bad,1}                          not the same as {bad,2}
 *     bank.c:12: main: Assertion `n == 2' failed  the line does not count, the 2 does
 *     it came to 17                               the same as "it came to 4"
 *
 * The folder of the source file in front of an assertion does not count. */
uint64_t message_reason_hash(const char *message);

#endif
