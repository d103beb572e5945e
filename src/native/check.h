/* check.h: are the contents that the program left in the channel safe to read?
 *
 * The channel is memory of the tested program, and a wild pointer of the program may write there.
 * Every number that the tool takes from it as a length, an offset or an index is checked before
 * the trace is handed on; the program's own data (values, addresses, names of objects) need no
 * check. A channel that is not sound means that control is lost.
 */
#ifndef NATIVE_CHECK_H
#define NATIVE_CHECK_H

#include "core/trace.h"
#include "runtime/channel.h"

/* Does the channel still have the layout that the tool gave it? */
bool check_layout(const struct channel *channel, const struct channel *laid_out);

/* The channel against the one that the tool laid out: layout, lengths, texts. */
bool check_channel(struct channel *channel, const struct channel *laid_out);

/* The arrays of a trace, whose lengths have been checked. */
bool check_trace(struct channel *channel, const struct trace *trace);

/* One of the traces at `done`, before its arrays are looked at. */
bool check_done(const struct channel *channel, uint64_t at, const struct channel_done *done);

/* Makes an unsound channel readable again; nothing the program said is left. */
void check_repair(struct channel *channel, const struct channel *laid_out);

#endif
