/* types.c: the types of the runtime for a debugger (cli/replay/debug/gdb.py).
 *
 * The other files have no types in their debug information, because every link of a tested program would
 * copy them. A type that gdb.py names is a member here.
 */
#include "runtime/rt.h"

struct rt_debug_types {
	struct rt *state;
	struct channel *channel;
	struct decision *decisions;
	enum rt_actor_state actor_state;
	enum event_kind event_kind;
};

extern const struct rt_debug_types rt_debug_types;
__attribute__((used)) const struct rt_debug_types rt_debug_types = {0};
