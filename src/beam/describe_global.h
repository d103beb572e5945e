/* describe_global.h: steps of module global in the words of its callers.
 *
 * A program that calls global:whereis_name(N) does not know that this call looks into the table
 * global_names, and then checks whether the process is alive. Nor does it know that
 * global:register_name(N, Pid) sends a fun to global_name_server.
 */
#ifndef BEAM_DESCRIBE_GLOBAL_H
#define BEAM_DESCRIBE_GLOBAL_H

#include "beam/describe.h"
#include "vm/process/process.h"

/* Adds "global:whereis_name(n)" for a step that looks for a global name; false, and nothing is added, if it is
 * another one. */
bool describe_global(struct conductor *c, const struct process *p, const struct bif *bif,
		     struct strbuf *out);
/* Adds the result of the look-up. */
void describe_global_result(struct conductor *c, const struct bif *bif, term result,
			    struct strbuf *out);

/* Adds "global:register_name(n, P1.2)" for a message that asks for it; false, and nothing is added, if it is another
 * message. */
bool describe_global_call(struct conductor *c, term message, struct strbuf *out);

#endif
