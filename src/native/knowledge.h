/* knowledge.h: takes the facts that were learned about a program from one channel to
 * another.
 *
 * Actor indices, the sizes in which memory is accessed, which plain variables race:
 * names in schedules depend on these, so a process that follows a schedule must know
 * the same. As text (in saved findings) it is one fact per line.
 */
#ifndef NATIVE_KNOWLEDGE_H
#define NATIVE_KNOWLEDGE_H

#include "base/err.h"
#include "base/strbuf.h"
#include "runtime/channel.h"

void knowledge_copy(struct channel *to, struct channel *from);
void knowledge_print(struct channel *channel, struct strbuf *out);
/* How many actors the text knows. */
uint32_t knowledge_actors(const char *text);
bool knowledge_parse(struct channel *channel, const char *text, struct err *err);

#endif
