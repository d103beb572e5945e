/* checked_setup.h: targets whose contract is asserted on every run (target/checked.h).
 *
 * For tests, not for users: FERMATA_CHECK_TARGET=1 in the environment makes every command wrap
 * each target it makes, FERMATA_CHECK_TARGET=N also sets how many requests lie between two that
 * are run twice (1 stands for the default of 64). Without the variable, or with 0, nothing is
 * wrapped and nothing costs time.
 */
#ifndef CLI_CHECKED_SETUP_H
#define CLI_CHECKED_SETUP_H

#include "target/target.h"

/* Takes the target (NULL stays NULL) and returns it, wrapped if the environment asks for it. May
 * the announcements of that sort of target change: target/contract.h. A broken promise then prints
 * the verdict "lost control: the target broke its contract: …" and ends the tool with exit status
 * 4. */
struct target *checked_setup(struct target *target, bool announcements_change);

/* Does the environment ask for it? Then mistakes of ours are not mended on the way, either
 * (explore_options.tries_all_orders). */
bool checked_setup_is_on(void);

#endif
