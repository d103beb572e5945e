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

#endif
