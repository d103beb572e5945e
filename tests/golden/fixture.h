/* fixture.h: fixed reports, for the golden texts of every form. */
#ifndef GOLDEN_FIXTURE_H
#define GOLDEN_FIXTURE_H

#include "report/report.h"

struct report *fixture_bugs(void);   /* a race in columns, a deadlock as a list */
struct report *fixture_proved(void); /* with assumptions and coverage */
struct report *fixture_no_bug(void);
struct report *fixture_lost(void);

#endif
