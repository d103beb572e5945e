/* declared.h: functions that the user declared to have side effects, and which of them conflict.
 *
 * The effects of Erlang's own functions are in the BIF tables (src/vm/bifs). The effect of a
 * call that reaches a file, a device or a service that a test stands in for is unknown to the
 * explorer until it is declared: --side-effect MODULE:FUN[/ARITY]. Then the process
 * stops before each such call and others may go first (the `yield` of the PULSE paper, section 2).
 * The loader puts an instruction at the entry of the function, so all ways of calling it count. The
 * steps of the function itself are explored as usual.
 *
 * Any two declared functions are taken to conflict, unless a file says which do (section 5), a pair
 * to a line:
 *
 *     db:write/2   db:read/1         # these two, and
 *     db:write/2   db:write/2        # two writes
 *     log:add/2@1  log:rotate/1@1    # only if those arguments (from 1) are equal
 *
 * Each pair becomes an object that both functions touch. The mode of each of the two conflicts with
 * the mode of the other one only.
 */
#ifndef BEAM_DECLARED_H
#define BEAM_DECLARED_H

#include "base/err.h"
#include "base/vec.h"
#include "core/event.h"
#include "vm/vm.h"

/* Of a function: one is left for what every step does (announce.h). */
enum { DECLARED_ACCESSES = EVENT_ACCESSES - 1 };

struct declared_access {
	uint32_t pair;     /* number of the pair, from 1; 0: of all without a file */
	uint32_t mode;     /* enum access_mode */
	uint32_t argument; /* that must be equal, from 1; 0 none */
};

struct declared_function {
	char *module, *name; /* owned */
	int arity;           /* -1: any */
	bool is_loaded;      /* the loader has met it */
	uint32_t access_len;
	struct declared_access accesses[DECLARED_ACCESSES];
};

struct declared {
	VEC(struct declared_function) functions;
	VEC(char *) texts; /* owned: the functions as they were declared */
	VEC(char *) pairs; /* owned: each two functions, a blank between */
	bool has_pairs;    /* only these conflict, be it none */
};

/* Takes "m:f" or "m:f/2". */
bool declared_add(struct declared *d, const char *text, struct err *err);
/* From now on only pairs conflict. */
void declared_begin_pairs(struct declared *d);
/* Takes "m:f/1 m:g/2@1"; both must have been declared. */
bool declared_add_pair(struct declared *d, const char *text, struct err *err);
/* Reads a file of pairs. */
bool declared_read_pairs(struct declared *d, const char *path, struct err *err);
void declared_release(struct declared *d);

/* The machine's modules are loaded with these from now on; NULL none. Borrowed. */
void declared_use(struct declared *d);

/* Loads the modules of the functions in use. False with err if a module is not there or lacks its
 * function, or if the function is a native one, whose effects are known. */
bool declared_check(struct vm *vm, struct err *err);

/* The call as an event: its kind and accesses. */
void declared_announce(uint32_t function, const term *args, uint32_t args_len,
		       struct event *event);

#endif
