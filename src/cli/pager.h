/* pager.h: text for people that is longer than the terminal is shown by a pager.
 *
 *	pager_print(strbuf_text(&text), pager_is_wanted());
 *
 * A report begins with the sentences that matter most. Printed at once, a long one would push them out
 * of the terminal, so it goes through the command of PAGER (`less` unless the variable is set; empty or
 * `cat`: no pager). A pager waits for keys, which must never stop a build or a script. Therefore one is
 * started only for a command that was typed by hand: standard input and output are the terminal, and
 * this process leads the process group in its foreground. An interactive shell gives every command a
 * group of its own; make and scripts keep their commands in theirs.
 */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stdbool.h>

/* Was this command typed by hand, on a terminal that can show a pager, and is the pager not turned
 * off? A child does not lead its group: it asks before the fork. */
bool pager_is_wanted(void);

/* Prints the text on stdout: through the pager if it `is_wanted` and the text has more lines than the
 * terminal. A pager that cannot be started is as good as none. False with errno if the text could not
 * be written. */
bool pager_print(const char *text, bool is_wanted);

#endif
