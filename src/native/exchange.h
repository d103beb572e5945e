/* exchange.h: schedules into the shared memory, traces out of it.
 *
 * The tool and the tested program exchange plain structs through the channel (runtime/channel.h). This
 * file knows where each array lies there; native.c knows when a request is made and what follows from
 * the answer. The two are separate because the layout of the channel and the order of requests change
 * for different reasons.
 *
 *     exchange_write(channel, &schedules[0], err)
 *     channel->more_len = exchange_write_more(channel, &schedules[1], len - 1)
 *     program_request(…, COMMAND_RUN)
 *     exchange_read_done(n, &at, &traces[i])   for each of the done_len runs before the last one
 *     exchange_read(n, &traces[done_len])
 *
 * A trace borrows its arrays from the channel: it is valid until the next request. The program can write
 * to the channel, so nothing is read that check.h has not found sound.
 */
#ifndef NATIVE_EXCHANGE_H
#define NATIVE_EXCHANGE_H

#include "native/native_parts.h"

/* The first schedule of a request. False, with err, if it is too long for the channel. */
bool exchange_write(struct channel *channel, const struct schedule *schedule, struct err *err);

/* The schedules after the first one. Returns how many of them fit. */
uint32_t exchange_write_more(struct channel *channel, const struct schedule *schedules,
			     uint32_t len);

/* The trace of the last run of a request. False if the channel is not sound; the trace then says
 * that control is lost. */
bool exchange_read(struct native *n, struct trace *trace);

/* One of the traces that were kept before the last run. *next is its place in the channel and then
 * the place of the trace behind it. False if the trace is not sound. */
bool exchange_read_done(struct native *n, uint64_t *next, struct trace *trace);

/* The program has overwritten the memory that it shares with the tool: no run counts from now on, and
 * *trace says that control is lost. */
void exchange_give_up(struct native *n, struct trace *trace);

/* The memory model (enum memory_model) under which runs are made now. */
uint32_t exchange_memory(const struct channel *channel);

#endif
