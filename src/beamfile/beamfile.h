/* beamfile.h: the contents of a .beam file, checked, as plain data.
 *
 * The VM and the static analysis both start from here and neither looks at the
 * file's bytes. beamfile_read() takes any bytes at all; if it returns true, the result
 * is safe to index. Every atom, import, fun, literal, label, line and string range that
 * an instruction names exists; every operand has the kind that the opcode's signature
 * in opcode.def promises; counts in list operands are whole groups. The discipline
 * between instructions is NOT checked (that a y register lies inside the frame, that x3
 * holds a tuple): the compiler's own validator did that, and the VM must not trust it
 * for memory safety.
 *
 * Literals, attributes and compile info stay raw external terms: the VM decodes
 * them into its heap; beamfile/etf.h reads them without a VM.
 *
 *     struct beamfile bf;
 *     if (!beamfile_load(&bf, path, err))
 *             return false;
 *     for (size_t i = 0; i < bf.instrs_len; i++) ... bf.instrs[i].op ...
 *     beamfile_release(&bf);
 *
 * All pointers lead into one arena that the beamfile owns; the bytes given to
 * beamfile_read are not needed afterwards.
 */
#ifndef BEAMFILE_BEAMFILE_H
#define BEAMFILE_BEAMFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "beamfile/opcode.h"

#define BEAMFILE_NONE UINT32_MAX /* no such index */

enum {
	BEAMFILE_MAX_REGISTERS = 1024, /* x, y and float register numbers are below this */
	BEAMFILE_MAX_ARITY = 255,
	BEAMFILE_MAX_BYTES = 256 << 20, /* of a file or its literals once unpacked */
};

/* One kind per row; what the other fields hold. */
enum beam_operand_kind {
	BEAM_U,    /* value: a number that is not a term (arity, size, index of import, fun, line) */
	BEAM_INT,  /* value: an integer term */
	BEAM_BIG,  /* bytes, len: an integer term beyond 64 bits, two's complement, big endian */
	BEAM_ATOM, /* value: index into atoms, never 0 */
	BEAM_NIL,  /* the empty list */
	BEAM_X,    /* value: register number */
	BEAM_Y,    /* value: register number */
	BEAM_FR,   /* value: float register number */
	BEAM_LABEL,   /* value: label; 0 = none (raise) */
	BEAM_LITERAL, /* value: index into literals */
	BEAM_LIST,    /* items, len: operands that are not lists themselves */
	BEAM_ALLOC,   /* alloc: a heap need by kind */
};

/* A heap need that depends on how the VM lays out floats and funs. */
struct beam_alloc {
	uint64_t words;
	uint64_t floats;
	uint64_t funs;
};

struct beam_operand {
	uint8_t kind; /* enum beam_operand_kind */
	uint32_t len;
	union {
		int64_t value;
		const uint8_t *bytes;
		const struct beam_operand *items;
		const struct beam_alloc *alloc;
	};
};

struct beam_instr {
	uint8_t op;           /* enum opcode */
	uint8_t operands_len; /* the opcode's arity */
	const struct beam_operand *operands;
};

struct beam_atom {
	const char *text; /* UTF-8; a NUL follows, but a name may also contain one */
	uint32_t len;
};

struct beam_import {
	uint32_t module; /* index into atoms, as function is */
	uint32_t function;
	uint32_t arity;
};

struct beam_export { /* of exports and of locals */
	uint32_t function;
	uint32_t arity;
	uint32_t label;
};

struct beam_fun {
	uint32_t function;
	uint32_t arity; /* of the function at label: arguments and free variables */
	uint32_t label;
	uint32_t index;
	uint32_t num_free;
	uint32_t old_uniq;
};

struct beam_bytes {
	const uint8_t *bytes;
	size_t len;
};

struct beam_line {
	uint32_t file; /* index into files */
	uint32_t line; /* 0: not known */
};

/* A function of the module, in the order of the code. */
struct beam_function {
	uint32_t name; /* index into atoms */
	uint32_t arity;
	uint32_t label;     /* of the entry, just after func_info */
	uint32_t first;     /* instruction: the first that belongs to the function */
	uint32_t func_info; /* instruction */
	uint32_t entry;     /* instruction: the label just after func_info */
	uint32_t end;       /* instruction: one past the last */
	bool exported;
};

struct beamfile {
	struct arena arena;
	uint64_t checksum; /* of the whole file, unpacked */

	struct beam_atom *atoms; /* [0] is unused, [1] is the module's name */
	size_t atoms_len;
	struct beam_import *imports;
	size_t imports_len;
	struct beam_export *exports;
	size_t exports_len;
	struct beam_export *locals;
	size_t locals_len;
	struct beam_fun *funs;
	size_t funs_len;
	struct beam_bytes *literals; /* each an external term, 131 first */
	size_t literals_len;
	struct beam_bytes strings; /* the string table */

	struct beam_line *lines; /* [0] is "not known"; lines_len is at least 1 */
	size_t lines_len;
	const char **files; /* [0] is "<module>.erl" */
	size_t files_len;

	struct beam_bytes attributes;   /* external term, or empty */
	struct beam_bytes compile_info; /* external term, or empty */

	struct beam_instr *instrs; /* the last is int_code_end */
	size_t instrs_len;
	uint32_t *labels; /* label -> instruction; BEAMFILE_NONE for numbers never defined */
	size_t labels_len;
	struct beam_function *functions;
	size_t functions_len;
	uint32_t on_load; /* index into functions, or BEAMFILE_NONE */
};

/* Fills bf from the bytes of a .beam file, plain or gzipped. Borrows the bytes. On
 * failure err has one line and bf holds nothing. */
bool beamfile_read(struct beamfile *bf, const void *bytes, size_t len, struct err *err);

/* The same from a file; the message begins with the path. */
bool beamfile_load(struct beamfile *bf, const char *path, struct err *err);

void beamfile_release(struct beamfile *bf);

/* The module's name, NUL-terminated UTF-8. */
const char *beamfile_module(const struct beamfile *bf);

/* The index of the function that holds the instruction, or BEAMFILE_NONE for the last
 * instruction of the code, which belongs to none. */
uint32_t beamfile_function_at(const struct beamfile *bf, uint32_t instr);

/* The index of the function with this entry label, or BEAMFILE_NONE. */
uint32_t beamfile_function_of_label(const struct beamfile *bf, uint32_t label);

/* The index of the atom with this text, or 0 when the file has none. */
uint32_t beamfile_find_atom(const struct beamfile *bf, const char *text);

#endif
