/* atom.h: the names of atoms, one table per machine.
 *
 * The table lives outside the region and only grows, because decoded code refers to atoms by
 * number and all runs share it. Atoms are ordered by their text and hashed by their text. A program
 * does see whether an atom exists (list_to_existing_atom), so that
 * is state of the run: a bit per atom in the region (vm->atoms_exist).
 *
 * The atoms that the VM itself needs are listed in atoms.def and are constants here: A_ok,
 * A_undefined, A_EXIT, ... To add one, add a line there.
 */
#ifndef VM_TERMS_ATOM_H
#define VM_TERMS_ATOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "vm/terms/term.h"

enum atom_number {
#define ATOM(id, text) ATOM_NUMBER_##id,
#include "vm/terms/atoms.def"
#undef ATOM
	ATOM_NUMBER_COUNT
};

enum atom_constant {
#define ATOM(id, text) A_##id = (ATOM_NUMBER_##id << 6) | 0x0b, /* TAG_ATOM */
#include "vm/terms/atoms.def"
#undef ATOM
};

struct atom_name {
	const char *text; /* UTF-8, NUL-terminated (names may still contain NUL) */
	uint32_t len;     /* bytes */
	uint32_t chars;
	uint64_t order;   /* the first 8 bytes big endian: most comparisons end here */
	uint64_t hash;    /* of the text */
	uint32_t place;   /* see atom_compare_places */
};

/* The most characters that the name of an atom may have. */
#define ATOM_MAX_CHARS 255u

VEC_TYPE(atom_names, struct atom_name);

/* The part of a machine (machine.h) that belongs to atoms. */
struct atom_table {
	struct atom_names names; /* by atom number */
	uint32_t *slots;         /* atom number + 1, by hash of the text, open addressing */
	size_t slots_len;
	struct arena texts;
	bool has_places;         /* OTP 26 and later */
	bool is_late;            /* an explored run has made an atom */
};

/* Fills the table with atoms.def; call once before anything else. release: of OTP. */
void atom_table_open(unsigned release);
void atom_table_close(void);

/* The atom of this UTF-8 text (which must be valid). It exists from now on. */
term atom_from_text(const char *text, size_t len);
term atom_from_string(const char *text);

/* The atom if it exists in this run, else TERM_NONE. */
term atom_find_existing(const char *text, size_t len);

/* Marks an atom of a loaded module as existing in this run. */
void atom_mark_existing(term atom);

const struct atom_name *atom_name(term atom);
static inline const char *atom_text(term atom) { return atom_name(atom)->text; }

/* The order of the texts, which is the term order of atoms: <0, 0, >0. */
int atom_compare(term a, term b);

/* The order of atoms as keys of small maps. Before OTP 26 that is the term order. Since then it is
 * the order in which the node made the atoms: first those of a node that has just started, as
 * measured (atom_places_27.def, atom_places_29.def), then those of the modules in the order in
 * which they are loaded. Atoms that an explored run makes come last, ordered by their text: which
 * of two is made first may differ from run to run. */
int atom_compare_places(term a, term b);

static inline term atom_from_bool(bool value) { return (term)(value ? A_true : A_false); }

#endif
