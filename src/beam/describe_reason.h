/* describe_reason.h: the reason of an exit in words. A reason often holds a stack trace, which is long
 * and hides the rest; of the trace the innermost call is named instead, and that of the program's own
 * code:
 *
 *	{function_clause,[{server,handle,[late],[{file,…},{line,20}]}|…]}
 *		function_clause in server:handle(late), server.erl:20
 *	{{badarg,[…]},{gen_server,call,[pool,checkout]}}
 *		badarg in ets:lookup(t, 1) called by pool:take/1, pool.erl:31, seen by gen_server:call(pool, checkout)
 */
#ifndef BEAM_DESCRIBE_REASON_H
#define BEAM_DESCRIBE_REASON_H

#include "base/strbuf.h"
#include "vm/vm.h"

/* How a reason is written. */
struct reason_style {
	size_t limit;   /* each term of it is cut after about so many characters */
	bool is_elixir; /* in the syntax of Elixir */
};

void describe_reason(struct vm *vm, term reason, struct reason_style style, struct strbuf *out);

#endif
