/* From beamfile's checked instructions to decoded code.
 *
 * One pass emits words, remembering where labels are and where they are wanted; then the words
 * get their final place and labels become addresses. Instructions marked PLAIN in ops.def are
 * emitted by their signature alone; the others choose a form by their operands (load_select.c). */
#include "vm/code/load.h"

#include "base/bug.h"
#include "base/mem.h"
#include "beamfile/beamfile.h"
#include "vm/bifs/bif.h"
#include "vm/exec/interp.h"
#include "vm/memory/scan.h"
#include "vm/terms/big.h"
#include "vm/terms/etf.h"
#include "vm/terms/tmap.h"

static const uint16_t plain_ops[OPCODE_MAX + 1] = {
#define SOURCE_PLAIN(name) [OP_##name] = SPEC_##name + 1,
#define SOURCE_SPECIAL(name)
#define OP(name, source, flow, doc) SOURCE_##source(name)
#include "vm/exec/ops.def"
#undef OP
};

/* ---- emitting ---- */

void load_word(struct loader *ld, word w)
{
	*vec_push(&ld->words) = w;
}

void load_op(struct loader *ld, enum spec_op op)
{
	ld->op_at = ld->words.len;
	load_word(ld, (word)interp_labels[op]);
}

static void load_fixup(struct loader *ld, int64_t label, bool is_back)
{
	if (label)
		*vec_push(&ld->fixups) =
			(struct load_fixup){(uint32_t)ld->words.len, (uint32_t)label, is_back};
	load_word(ld, 0);
}

void load_label(struct loader *ld, int64_t label)
{
	load_fixup(ld, label, ld->labels[label] != LOAD_NOWHERE);
}

void load_free_label(struct loader *ld, int64_t label)
{
	load_fixup(ld, label, false);
}

term load_atom(struct loader *ld, int64_t index)
{
	return ld->image->atoms[index];
}

static term build_big(struct loader *ld, const struct beam_operand *o)
{
	size_t limbs = o->len / 8 + 2;
	term *box = arena_alloc(&ld->image->constants, (limbs + 1) * sizeof(term));
	bool negative = o->bytes[0] >> 7;
	uint8_t *out = (uint8_t *)(box + 1);
	unsigned carry = 1;

	memset(out, 0, limbs * 8);
	for (uint32_t i = 0; i < o->len; i++) {
		unsigned byte = o->bytes[o->len - 1 - i];

		if (negative) {
			byte = (~byte & 0xff) + carry;
			carry = byte >> 8;
		}
		out[i] = (uint8_t)byte;
	}
	if (negative && carry)
		out[o->len] += 1;
	while (limbs > 1 && !box[limbs])
		limbs--;
	box[0] = header_make(negative ? KIND_BIG_NEG : KIND_BIG_POS, limbs);
	return boxed_make(box);
}

static term build_int(struct loader *ld, int64_t value)
{
	term *box;

	if (small_fits(value))
		return small_make(value);
	box = arena_alloc(&ld->image->constants, 2 * sizeof(term));
	box[0] = header_make(value < 0 ? KIND_BIG_NEG : KIND_BIG_POS, 1);
	box[1] = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	return boxed_make(box);
}

bool load_is_constant(const struct beam_operand *o)
{
	return o->kind == BEAM_INT || o->kind == BEAM_BIG || o->kind == BEAM_ATOM ||
	       o->kind == BEAM_NIL || o->kind == BEAM_LITERAL;
}

term load_constant(struct loader *ld, const struct beam_operand *o)
{
	switch (o->kind) {
	case BEAM_INT:
		return build_int(ld, o->value);
	case BEAM_BIG:
		return build_big(ld, o);
	case BEAM_ATOM:
		return load_atom(ld, o->value);
	case BEAM_LITERAL:
		return ld->image->literals[o->value];
	default:
		return NIL;
	}
}

word load_operand(struct loader *ld, const struct beam_operand *o)
{
	switch (o->kind) {
	case BEAM_X:
		return operand_x((unsigned)o->value);
	case BEAM_Y:
		return operand_y((unsigned)o->value);
	case BEAM_U:
	case BEAM_FR:
		return (word)o->value;
	default:
		return load_constant(ld, o);
	}
}

size_t load_heap_need(const struct beam_operand *o)
{
	if (o->kind == BEAM_ALLOC)
		return o->alloc->words + o->alloc->floats * FLOAT_WORDS + o->alloc->funs * 2;
	return (size_t)o->value;
}

static bool is_receive(const struct loader *ld)
{
	enum opcode op = ld->bf->instrs[ld->at].op;

	return op == OP_loop_rec_end || op == OP_wait || op == OP_wait_timeout;
}

static void emit_operand(struct loader *ld, char letter, const struct beam_operand *o)
{
	if (o->kind == BEAM_LABEL && is_receive(ld))
		load_free_label(ld, o->value);
	else if (o->kind == BEAM_LABEL)
		load_label(ld, o->value);
	else if (o->kind == BEAM_LIST)
		load_list(ld, o);
	else if (letter == 'h')
		load_word(ld, load_heap_need(o));
	else if (letter == 'k')
		load_word(ld, (word)&ld->image->funs[o->value]);
	else
		load_word(ld, load_operand(ld, o));
}

void load_list(struct loader *ld, const struct beam_operand *list)
{
	load_word(ld, list->len);
	for (uint32_t i = 0; i < list->len; i++)
		emit_operand(ld, '*', &list->items[i]);
}

static void emit_plain(struct loader *ld, const struct beam_instr *in, enum spec_op op)
{
	const char *letter = opcode_info(in->op)->signature;

	load_op(ld, op);
	for (unsigned i = 0; i < in->operands_len; i++) {
		emit_operand(ld, *letter, &in->operands[i]);
		letter = *letter == '[' ? strchr(letter, ']') + 1 : letter + 1;
	}
}

/* ---- one instruction ---- */

static void note_line(struct loader *ld, const struct beamfile *bf, int64_t item)
{
	struct code_line *line = vec_push(&ld->lines);

	line->offset = (uint32_t)ld->words.len;
	line->line = bf->lines[item].line;
	line->file = bf->lines[item].file;
}

static void start_function(struct loader *ld, const struct beam_instr *in)
{
	struct load_function *function = vec_push(&ld->functions);

	function->offset = (uint32_t)ld->words.len;
	function->name = load_atom(ld, in->operands[1].value);
	function->arity = (uint32_t)in->operands[2].value;
	load_op(ld, SPEC_func_info);
	load_word(ld, load_atom(ld, in->operands[0].value));
	load_word(ld, function->name);
	load_word(ld, function->arity);
	ld->bif = ld->is_of_otp
			  ? bif_find_body(ld->image->module, function->name, function->arity)
			  : bif_find(ld->image->module, function->name, function->arity);
}

/* The function is native: its entry calls the native function and returns, so that the code behind
 * it is never reached. */
static void start_native_body(struct loader *ld)
{
	load_op(ld, SPEC_bif_body);
	load_word(ld, (word)ld->bif);
	load_op(ld, SPEC_return);
	ld->bif = NULL;
}

static void start_stopping_body(struct loader *ld)
{
	const struct load_function *f = vec_last(&ld->functions);
	uint32_t number = code_find_stop(ld->image->module, f->name, f->arity);

	if (!number)
		return;
	load_op(ld, SPEC_side_effect);
	load_word(ld, number);
	load_word(ld, f->arity);
}

static void start_refused_body(struct loader *ld)
{
	const struct load_function *f = vec_last(&ld->functions);

	if (!load_is_refused(ld, f->name))
		return;
	load_op(ld, SPEC_refused);
	load_word(ld, (word)arena_printf(&ld->image->constants, "%s:%s/%u",
					 atom_text(ld->image->module), atom_text(f->name),
					 f->arity));
}

static void emit_unsupported(struct loader *ld, const char *what)
{
	load_op(ld, SPEC_unsupported);
	load_word(ld, (word)arena_printf(&ld->image->constants, "instruction %s", what));
}

static void emit_instr(struct loader *ld, size_t i)
{
	const struct beam_instr *in = &ld->bf->instrs[i];

	switch (in->op) {
	case OP_label:
		ld->labels[in->operands[0].value] = (uint32_t)ld->words.len;
		if (ld->after_func_info)
			start_stopping_body(ld);
		if (ld->after_func_info)
			start_refused_body(ld);
		if (ld->bif && ld->after_func_info)
			start_native_body(ld);
		ld->after_func_info = false;
		break;
	case OP_func_info:
		start_function(ld, in);
		ld->after_func_info = true;
		break;
	case OP_line:
	case OP_executable_line:
		note_line(ld, ld->bf, in->operands[0].value);
		break;
	case OP_on_load:
	case OP_int_code_end:
	case OP_nif_start:
	case OP_debug_line:
	case OP_fclearerror:
	case OP_fcheckerror:
	case OP_recv_mark:
	case OP_recv_set:
		break;
	default:
		if (load_select(ld, i))
			break;
		if (plain_ops[in->op])
			emit_plain(ld, in, plain_ops[in->op] - 1);
		else
			emit_unsupported(ld, opcode_info(in->op)->name);
	}
}

/* ---- tables ---- */

static void make_atoms(struct loader *ld)
{
	const struct beamfile *bf = ld->bf;
	struct code_image *image = ld->image;

	image->atoms_len = bf->atoms_len;
	image->atoms = mem_alloc((bf->atoms_len + 1) * sizeof(term));
	image->atoms[0] = NIL;
	for (size_t i = 1; i < bf->atoms_len; i++)
		image->atoms[i] = atom_from_text(bf->atoms[i].text, bf->atoms[i].len);
	image->atoms[0] = image->atoms[1];
	image->module = image->atoms[1];
}

static bool decode_literal(struct loader *ld, struct beam_bytes raw, term *out)
{
	struct etf_size size;
	term *hp;
	struct off_heap none = {0};

	if (raw.len < 1 || raw.bytes[0] != 131 ||
	    !etf_measure_literal(raw.bytes + 1, raw.len - 1, &size))
		return false;
	hp = arena_alloc(&ld->image->constants, (size.words + 1) * sizeof(term));
	*out = etf_build(raw.bytes + 1, raw.len - 1, &hp, &none, true);
	return *out != TERM_NONE;
}

/* Atoms inside literals also exist once the module is loaded. */
static void collect_atoms(struct loader *ld, term t)
{
	VEC(term) todo = {0};

	*vec_push(&todo) = t;
	while (todo.len) {
		t = vec_pop(&todo);
		if (term_is_atom(t)) {
			*vec_push(&ld->literal_atoms) = t;
		} else if (term_is_cons(t)) {
			*vec_push(&todo) = cons_head(t);
			*vec_push(&todo) = cons_tail(t);
		} else if (term_is_boxed(t)) {
			struct scan_range range = scan_terms(boxed_ptr(t));

			vec_append(&todo, boxed_ptr(t) + range.first, range.len);
		}
	}
	vec_release(&todo);
}

static void keep_literal_atoms(struct loader *ld)
{
	struct code_image *image = ld->image;
	size_t len = image->atoms_len + ld->literal_atoms.len;

	image->atoms = mem_realloc(image->atoms, (len + 1) * sizeof(term));
	if (ld->literal_atoms.len)
		memcpy(image->atoms + image->atoms_len, ld->literal_atoms.items,
		       ld->literal_atoms.len * sizeof(term));
	image->atoms_len = len;
	vec_release(&ld->literal_atoms);
}

static bool make_literals(struct loader *ld, struct err *err)
{
	const struct beamfile *bf = ld->bf;
	struct code_image *image = ld->image;

	image->literals_len = bf->literals_len;
	image->literals = mem_zalloc((bf->literals_len + 1) * sizeof(term));
	for (size_t i = 0; i < bf->literals_len; i++)
		if (!decode_literal(ld, bf->literals[i], &image->literals[i]))
			return err_set(err, "%s: literal %zu is not a term", beamfile_module(bf),
				       i);
	for (size_t i = 0; i < bf->literals_len; i++)
		collect_atoms(ld, image->literals[i]);
	keep_literal_atoms(ld);
	image->attributes = image->compile_info = NIL;
	if (bf->attributes.len)
		decode_literal(ld, bf->attributes, &image->attributes);
	if (bf->compile_info.len)
		decode_literal(ld, bf->compile_info, &image->compile_info);
	return true;
}

static void make_funs(struct loader *ld)
{
	const struct beamfile *bf = ld->bf;
	struct code_image *image = ld->image;

	image->funs_len = bf->funs_len;
	image->funs = mem_zalloc((bf->funs_len + 1) * sizeof(*image->funs));
	for (size_t i = 0; i < bf->funs_len; i++) {
		const struct beam_fun *from = &bf->funs[i];
		struct fun_entry *fun = &image->funs[i];

		fun->module = image->module;
		fun->function = image->atoms[from->function];
		fun->arity = from->arity - from->num_free;
		fun->num_free = from->num_free;
		fun->index = (uint32_t)i;
		fun->old_index = from->index;
		fun->old_uniq = from->old_uniq;
		fun->image = image;
	}
}

static void make_files(struct loader *ld)
{
	const struct beamfile *bf = ld->bf;
	struct code_image *image = ld->image;

	image->files_len = bf->files_len;
	image->files = mem_alloc((bf->files_len + 1) * sizeof(char *));
	for (size_t i = 0; i < bf->files_len; i++)
		image->files[i] = mem_strdup(bf->files[i]);
	image->strings = mem_dup(bf->strings.bytes, bf->strings.len + 1);
}

/* ---- the end: addresses ---- */

static const word *address_of_label(struct loader *ld, uint32_t label)
{
	return ld->image->words + ld->labels[label];
}

/* A branch back leads to a counting jump, one per label, behind all other code, so that every
 * endless loop is counted. Compilers do lay out code backwards, but they do not make loops without
 * calls. */
static void emit_jumps_back(struct loader *ld)
{
	uint32_t *jumps = mem_alloc((ld->bf->labels_len + 1) * sizeof(*jumps));
	size_t len = ld->fixups.len;

	memset(jumps, 0xff, (ld->bf->labels_len + 1) * sizeof(*jumps)); /* LOAD_NOWHERE */
	for (size_t i = 0; i < len; i++) {
		struct load_fixup *fixup = &ld->fixups.items[i];
		uint32_t label = fixup->label;

		if (!fixup->is_back)
			continue;
		if (jumps[label] == LOAD_NOWHERE) {
			jumps[label] = (uint32_t)ld->words.len;
			load_op(ld, SPEC_jump_back);
			load_free_label(ld, label);
		}
		fixup = &ld->fixups.items[i];
		fixup->label = jumps[label]; /* an offset, from now on */
	}
	mem_free(jumps);
}

static void fix_addresses(struct loader *ld)
{
	struct code_image *image = ld->image;

	image->words_len = ld->words.len;
	image->words = mem_dup(ld->words.items, ld->words.len * sizeof(word));
	for (size_t i = 0; i < ld->fixups.len; i++) {
		const struct load_fixup *fixup = &ld->fixups.items[i];

		image->words[fixup->at] =
			(word)(fixup->is_back ? image->words + fixup->label
					      : address_of_label(ld, fixup->label));
	}
	for (size_t i = 0; i < image->funs_len; i++)
		image->funs[i].code = address_of_label(ld, ld->bf->funs[i].label);
	if (ld->bf->on_load != BEAMFILE_NONE)
		image->on_load = address_of_label(ld, ld->bf->functions[ld->bf->on_load].label);
}

static void make_functions(struct loader *ld)
{
	struct code_image *image = ld->image;

	image->functions_len = ld->functions.len;
	image->functions = mem_zalloc((ld->functions.len + 1) * sizeof(*image->functions));
	for (size_t i = 0; i < ld->functions.len; i++) {
		image->functions[i].start = image->words + ld->functions.items[i].offset;
		image->functions[i].name = ld->functions.items[i].name;
		image->functions[i].arity = ld->functions.items[i].arity;
		image->functions[i].is_exported =
			i < ld->bf->functions_len && ld->bf->functions[i].exported;
	}
	load_make_calls(ld);
	image->lines_len = ld->lines.len;
	image->lines = ld->lines.items;
}

static void make_exports(struct loader *ld)
{
	const struct beamfile *bf = ld->bf;
	struct code_image *image = ld->image;

	image->exports_len = bf->exports_len;
	image->exports = mem_alloc((bf->exports_len + 1) * sizeof(*image->exports));
	image->exports_code = mem_alloc((bf->exports_len + 1) * sizeof(*image->exports_code));
	for (size_t i = 0; i < bf->exports_len; i++) {
		const struct beam_export *from = &bf->exports[i];

		image->exports[i] = export_of(image->module, image->atoms[from->function],
					      from->arity)->number;
		image->exports_code[i] = address_of_label(ld, from->label);
	}
}

static struct code_image *load_image(const struct beamfile *bf, const struct verify_facts *facts,
				     const char *path, struct err *err)
{
	struct loader ld = {.bf = bf, .facts = facts, .is_of_otp = path && code_path_is_of_otp(path),
			    .is_of_library = code_path_is_of_library(path, beamfile_module(bf)),
			    .image = mem_zalloc(sizeof(struct code_image))};

	ld.image->checksum = bf->checksum;
	ld.labels = mem_alloc((bf->labels_len + 1) * sizeof(*ld.labels));
	memset(ld.labels, 0xff, (bf->labels_len + 1) * sizeof(*ld.labels)); /* LOAD_NOWHERE */
	make_atoms(&ld);
	make_funs(&ld);
	make_files(&ld);
	if (!make_literals(&ld, err)) {
		mem_free(ld.labels);
		code_image_free(ld.image);
		return NULL;
	}
	for (ld.at = 0; ld.at < bf->instrs_len; ld.at++)
		emit_instr(&ld, ld.at);
	load_op(&ld, SPEC_return); /* so that another instruction follows the last one */
	emit_jumps_back(&ld);
	fix_addresses(&ld);
	make_functions(&ld);
	make_exports(&ld);
	vec_release(&ld.words);
	vec_release(&ld.fixups);
	vec_release(&ld.functions);
	vec_release(&ld.calls);
	mem_free(ld.labels);
	return ld.image;
}

static struct code_image *verify_and_load(const struct beamfile *bf, const char *path,
					  struct err *err)
{
	struct verify_facts facts;
	struct code_image *image = NULL;

	if (!load_fits_release(bf, err))
		return NULL;
	verify_facts_init(&facts, bf);
	if (verify_code(bf, &facts, err))
		image = load_image(bf, &facts, path, err);
	else
		err_prefix(err, "%s: ", beamfile_module(bf));
	verify_facts_release(&facts);
	return image;
}

struct code_image *code_image_decode(const void *bytes, size_t len, const char *path,
				     struct err *err)
{
	struct beamfile bf;
	struct code_image *image;

	if (!beamfile_read(&bf, bytes, len, err)) {
		if (path)
			err_prefix(err, "%s: ", path);
		return NULL;
	}
	image = code_cache_find(bf.checksum, UINT64_MAX);
	if (!image) {
		image = verify_and_load(&bf, path, err);
		if (image) {
			image->path = path ? mem_strdup(path) : NULL;
			code_md5(bytes, len, image->md5);
			for (size_t i = 0; i < image->funs_len; i++)
				memcpy(image->funs[i].uniq, image->md5, 16);
			code_cache_add(image);
		}
	}
	beamfile_release(&bf);
	return image;
}
