/* monitor_options.h: the options of a monitor, which erlang:monitor/3 and the option {monitor, Options}
 * of the spawning functions share. */
#ifndef VM_BIFS_MONITOR_OPTIONS_H
#define VM_BIFS_MONITOR_OPTIONS_H

#include "vm/terms/term.h"

struct monitor_options {
	term tag;          /* first element of the DOWN message; the caller sets the usual one */
	unsigned alias;    /* flags ALIAS_... of process/mailbox.h; 0: no alias */
	bool has_priority; /* of that message */
};

/* False: not a list of options. */
bool monitor_options_read(term options, struct monitor_options *out);

#endif
