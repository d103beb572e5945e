/* zone.h: the time zone that the C library keeps.
 *
 * localtime(), mktime() and their kin read TZ and set the time zone of the process anew when TZ has changed since;
 * localtime_r() only uses it, and sets it if it has not been set. The library guards the zone by a
 * lock of its own, so that is not a data race, but the order is an outcome:
 *
 *     setenv("TZ", …)      T1: localtime(…)      T2: localtime_r(…) may see either zone
 *
 * That order is not explored. A run in which such a call sets another zone is not part of a proof.
 */
#ifndef RUNTIME_CALLS_ZONE_H
#define RUNTIME_CALLS_ZONE_H

#include <stdint.h>

/* A call uses the time zone. `how`: i it sets the zone only if there is none, c it sets the zone if TZ has changed,
 * s the same, and the effects of the call say so already (tzset). */
void rt_zone_use(char how, uint64_t site);

#endif
