/* hint.h: the option that would probably help, for a finding of an Erlang test (hint.def). */
#ifndef CLI_HINT_H
#define CLI_HINT_H

#include "report/report.h"

/* A sentence that names the option; NULL if no option is known to help. */
const char *hint_for(const struct report_finding *finding);

#endif
