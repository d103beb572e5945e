/* machine.h: everything of an Erlang machine that is not in its region.
 *
 * A machine consists of two pieces of memory. The region (memory/region.h) holds the state that
 * a run can change and that a restore puts back. `struct machine` holds the rest: the tables that
 * only grow and that all runs share (atoms, decoded code, the search path), the settings, and the
 * scratch memory of functions that must not allocate. No other variable of src/vm is writable,
 * except the constants that interp_open computes; tests/statics.py checks this.
 *
 * Both pieces have fixed addresses, because decoded code, terms and the interpreter contain
 * absolute addresses of both. So several machines can exist, but one of them is *entered* at a
 * time: the variable `machine` and the memory at REGION_BASE are its own. Leaving a machine moves
 * both aside:
 *
 *     vm_open(limit, &err);                      makes a machine in the empty place
 *     struct parked_machine *a = machine_leave(&err);
 *     vm_open(limit, &err);                      makes another one
 *     struct parked_machine *b = machine_leave(&err);
 *     machine_enter(a);                          the first one goes on
 *
 * Each part defines its own struct in its own header, and only that part uses it. To add a part:
 * a struct in its header, a member here, and a call in vm_close that releases its memory. An
 * empty machine is all zero, and every part must work from that.
 */
#ifndef VM_MACHINE_H
#define VM_MACHINE_H

#include "vm/bifs/bif.h"
#include "vm/bifs/child.h"
#include "vm/bifs/environment.h"
#include "vm/bifs/open_file.h"
#include "vm/bifs/re_cache.h"
#include "vm/code/code.h"
#include "vm/ets/match_spec.h"
#include "vm/exec/bs_build.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/process/leader.h"
#include "vm/terms/atom.h"
#include "vm/terms/big.h"
#include "vm/terms/compare.h"
#include "vm/vm.h"

struct machine {
	struct vm_running running;
	struct region region;
	struct heap_settings heap;
	struct atom_table atoms;
	struct compare_state compare;
	struct big_scratch big;
	struct code_table code;
	struct code_path path;
	struct bs_builder bs;
	struct match_scratch match;
	struct bif_names bifs;
	struct re_cache *re; /* NULL until the first regular expression is compiled */
	struct file_writing files;
	struct children children;
	struct leader_output output;
	struct environment_asked asked;
};

/* The machine that is entered; all zero while no machine was opened in its place. It is hidden so
 * that position-independent code reaches it without loading its address first. */
extern struct machine machine __attribute__((visibility("hidden")));

struct parked_machine;

/* Moves the entered machine aside and leaves an empty place, in which vm_open can make another
 * machine. Returns NULL and fills err when the system has no free addresses to move the
 * region to; then the machine stays entered. */
struct parked_machine *machine_leave(struct err *err);

/* Moves a machine back to its place, which must be empty: the machine that was there was closed
 * or left. Takes `parked`. */
void machine_enter(struct parked_machine *parked);

#endif
