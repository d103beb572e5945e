/* load.h: the state that the parts of the loader share while one module is decoded.
 *
 * The loader goes over the verified instructions of a module once (load.c) and emits decoded
 * instructions for each: an operation of ops.def, then its operands as words. The choice of the
 * operation may depend on the operands (load_select.c; for bit strings load_bits.c). A label that
 * was not emitted yet is noted as a fixup and filled in at the end. Then the words become the
 * image (code.h), which all runs share and which never changes.
 */
#ifndef VM_CODE_LOAD_H
#define VM_CODE_LOAD_H

#include "base/vec.h"
#include "beamfile/beamfile.h"
#include "vm/code/code.h"
#include "vm/code/verify.h"
#include "vm/exec/interp.h"

struct load_fixup {
	uint32_t at;
	uint32_t label;
	bool is_back; /* a branch back inside a function: through a counting jump (jump_back) */
};

#define LOAD_NOWHERE UINT32_MAX /* of a label: not emitted yet */

struct load_function {
	uint32_t offset;
	uint32_t arity;
	term name;
};

/* A call in a fun: of a label of the module, or of a function with a name. */
struct load_call {
	uint32_t function; /* index in loader.functions */
	int64_t label;	   /* 0: the name */
	term module; /* TERM_NONE: the function is native */
	term name;
};

struct loader {
	const struct beamfile *bf;
	struct code_image *image;
	VEC(word) words;
	VEC(struct load_fixup) fixups;
	VEC(struct load_function) functions;
	VEC(struct load_call) calls;
	VEC(struct code_line) lines;
	VEC(term) literal_atoms;
	uint32_t *labels; /* label -> offset */
	size_t at;        /* instruction being emitted; a selector may move it on */
	size_t op_at;     /* where the last emitted instruction starts */
	const struct verify_facts *facts;
	bool is_of_otp;
	bool is_of_library; /* of OTP, Elixir or this tool */
	const struct bif *bif; /* the function being emitted is native */
	bool after_func_info;
};

void load_op(struct loader *ld, enum spec_op op);
void load_word(struct loader *ld, word w);
void load_label(struct loader *ld, int64_t label);
/* The same without a counting jump, for calls and receives, which are counted otherwise. */
void load_free_label(struct loader *ld, int64_t label);
void load_list(struct loader *ld, const struct beam_operand *list);
term load_atom(struct loader *ld, int64_t index);
bool load_is_constant(const struct beam_operand *o);
term load_constant(struct loader *ld, const struct beam_operand *o);
word load_operand(struct loader *ld, const struct beam_operand *o);
size_t load_heap_need(const struct beam_operand *o);

/* Emits instruction i in a special form; false when it is a plain one. */
bool load_select(struct loader *ld, size_t i);
/* The same for instructions on bit strings. */
bool load_select_bits(struct loader *ld, const struct beam_instr *in);

/* Notes a call of the function that is being emitted, if that is a fun of the program: of a label of
 * the module, or of a function with a name (label 0). */
void load_note_call(struct loader *ld, int64_t label, term module, term name);
/* Is it a tail call of a function like handle_info/2 by itself, in code of the program? */
bool load_is_handler_again(const struct loader *ld, int64_t label);
/* Gives the functions of the image the calls that were noted. */
void load_make_calls(struct loader *ld);

/* False for code of a newer or a much older compiler than the OTP whose libraries are used. The
 * tool's own modules were compiled when it was built. */
bool load_fits_release(const struct beamfile *bf, struct err *err);
/* Whether refused.def names this function of the module that is loaded. */
bool load_is_refused(const struct loader *ld, term function);

/* The image whose checksum has these bits in the mask, or NULL. */
struct code_image *code_cache_find(uint64_t checksum, uint64_t mask);
void code_cache_add(struct code_image *image);
void code_image_free(struct code_image *image);
/* The MD5 of the module, as module_info(md5) returns it. */
void code_md5(const void *bytes, size_t len, uint8_t md5[16]);

#endif
