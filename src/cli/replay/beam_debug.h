/* beam_debug.h: the prompt of `fermata replay --debug`, for Erlang and Elixir.
 *
 * The finding's schedule has just been run and explained; the prompt stands before its first step.
 * To stand before step N is to run the first N - 1 decisions again and to stop there, so going back
 * costs as much as going forward. Commands are read from stdin, one to a line, so that a session can
 * be a script; on a terminal there is a prompt. Everything is printed with the names that the report
 * uses.
 */
#ifndef CLI_BEAM_DEBUG_H
#define CLI_BEAM_DEBUG_H

#include "core/schedule.h"
#include "report/report.h"
#include "target/target.h"

/* `words`: the run in words, as explain_finding() made them from the trace of these decisions. Reads
 * commands until `quit` or the end of stdin. False with err if the run cannot be repeated. */
bool beam_debug(struct target *target, const struct decision *decisions, uint32_t len,
		const struct report_finding *words, struct err *err);

#endif
