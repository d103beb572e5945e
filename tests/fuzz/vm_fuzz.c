/* The machine under attack by code that no compiler wrote.
 *
 *     vm_fuzz [--rounds N] [--seed N] [--keep FILE] [--run FILE] SEED.beam...
 *
 * Each round takes a real module, changes a few instructions and operands of one of its functions
 * (registers, numbers, labels, constants, whole instructions swapped, dropped, doubled, put
 * elsewhere), writes it as a .beam file again and loads it. If the module is still accepted, it
 * runs the changed function, if it is exported, and some others, with arguments of all kinds, a
 * limit of calls and one of memory. Every round must end in a value, an exception or one line of error; run
 * it with the sanitizers on. --keep leaves the file of the round that is under way, for --run to
 * look at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/mem.h"
#include "base/rng.h"
#include "encode.h"
#include "vm/code/code.h"
#include "vm/code/verify.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/process/leader.h"
#include "vm/run.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/terms/tmap.h"

enum { MAX_EDITS = 4, TURNS_MAX = 40, MEMORY = 96 << 20, CALLS = 3, MAX_ARITY = 6 };

static struct {
	size_t refused, unsound, run, endless, ended;
} tally;

static struct rng rng;

static size_t below(size_t n)
{
	return n ? (size_t)rng_below(&rng, n) : 0;
}

/* ---- changing code ---- */

struct victim {
	struct beamfile bf;
	struct byte_vec file;
	struct beam_instr *instrs; /* a copy that may be changed */
	size_t len;
	uint32_t function;
};

static struct beam_operand *copy_operands(struct arena *arena, const struct beam_operand *from,
					  size_t len)
{
	return len ? memcpy(arena_alloc(arena, len * sizeof(*from)), from, len * sizeof(*from))
		   : NULL;
}

static void change_value(const struct victim *v, struct beam_operand *o)
{
	const struct beam_function *f = &v->bf.functions[v->function];

	switch (o->kind) {
	case BEAM_X:
	case BEAM_Y:
		if (below(4) == 0)
			o->kind = o->kind == BEAM_X ? BEAM_Y : BEAM_X;
		o->value = (int64_t)below(below(8) ? 6 : 1024);
		break;
	case BEAM_LABEL: /* mostly one of the same function */
		o->value = below(6) ? (int64_t)v->bf.instrs[f->entry].operands[0].value +
					      (int64_t)below(12) - 2
				    : (int64_t)below(v->bf.labels_len);
		break;
	case BEAM_U:
	case BEAM_INT:
		o->value = below(3) ? (int64_t)below(10) : o->value + (int64_t)below(5) - 2;
		break;
	case BEAM_LITERAL:
		o->value = (int64_t)below(v->bf.literals_len);
		break;
	case BEAM_ATOM:
		o->value = 1 + (int64_t)below(v->bf.atoms_len - 1);
		break;
	case BEAM_FR:
		o->value = (int64_t)below(4);
		break;
	default:
		break;
	}
}

static bool is_source(const struct beam_operand *o)
{
	return o->kind == BEAM_X || o->kind == BEAM_Y || o->kind == BEAM_ATOM ||
	       o->kind == BEAM_NIL || o->kind == BEAM_LITERAL || o->kind == BEAM_INT;
}

static void change_operand(struct victim *v, struct beam_operand *o)
{
	static const uint8_t kinds[] = {BEAM_X, BEAM_Y, BEAM_INT, BEAM_NIL, BEAM_X};

	if (o->kind == BEAM_LIST && o->len) {
		o->items = copy_operands(&v->bf.arena, o->items, o->len);
		change_operand(v, (struct beam_operand *)&o->items[below(o->len)]);
	} else if (o->kind == BEAM_ALLOC) {
		*o = (struct beam_operand){.kind = BEAM_U, .value = (int64_t)below(8)};
	} else if (is_source(o) && below(3) == 0) {
		*o = (struct beam_operand){.kind = kinds[below(sizeof(kinds))],
					   .value = (int64_t)below(5)};
	} else {
		change_value(v, o);
	}
}

/* Another instruction with operands of the same kinds: the signature's letters count. */
static void change_opcode(struct beam_instr *in)
{
	const char *signature = opcode_info(in->op)->signature;
	size_t first = below(OPCODE_MAX);

	for (size_t i = 0; i < OPCODE_MAX; i++) {
		uint8_t op = (uint8_t)(1 + (first + i) % OPCODE_MAX);
		const struct opcode_info *info = opcode_info(op);

		if (info->name && op != in->op && op > OP_int_code_end &&
		    strcmp(info->signature, signature) == 0) {
			in->op = op;
			return;
		}
	}
}

static void edit(struct victim *v)
{
	const struct beam_function *f = &v->bf.functions[v->function];
	size_t span = f->end - f->entry - 1;
	struct beam_instr *in = &v->instrs[f->entry + 1 + below(span)];
	struct beam_instr *other = &v->instrs[f->entry + 1 + below(span)];
	struct beam_instr saved = *in;

	if (!span || in->op == OP_label || other->op == OP_label)
		return;
	switch (below(8)) {
	case 0:
		*in = *other;
		*other = saved;
		return;
	case 1:
		*in = *other;
		return;
	case 2: /* dropped: a line says nothing */
		*in = v->bf.instrs[f->func_info - 1].op == OP_line ? v->bf.instrs[f->func_info - 1]
								   : saved;
		return;
	case 3:
		change_opcode(in);
		return;
	default:
		if (!in->operands_len)
			return;
		in->operands = copy_operands(&v->bf.arena, in->operands, in->operands_len);
		change_operand(v, (struct beam_operand *)&in->operands[below(in->operands_len)]);
	}
}

static struct byte_vec make_victim(struct victim *v)
{
	size_t edits = below(2) ? 1 : 1 + below(MAX_EDITS);
	struct byte_vec code, file;

	v->instrs = mem_dup(v->bf.instrs, v->bf.instrs_len * sizeof(*v->instrs));
	v->function = (uint32_t)below(v->bf.functions_len);
	while (edits-- > 0)
		edit(v);
	code = encode_code(v->instrs, v->bf.instrs_len, v->bf.labels_len, v->bf.functions_len);
	file = chunk_replace(&v->file, "Code", &code);
	vec_release(&code);
	mem_free(v->instrs);
	return file;
}

/* ---- running it ---- */

static term make_argument(struct process *p, unsigned depth)
{
	term list = NIL, key;
	uint8_t *bytes;

	switch (below(depth ? 12 : 6)) {
	case 0: return small_make((int64_t)below(300) - 3);
	case 1: return below(2) ? A_ok : A_undefined;
	case 2: return NIL;
	case 3: return heap_float(p, (double)below(100) / 3);
	case 4: return heap_unsigned(p, UINT64_MAX - below(5));
	case 5: return p->pid;
	case 6: return heap_tuple2(p, A_ok, make_argument(p, depth - 1));
	case 7:
		return heap_tuple3(p, make_argument(p, depth - 1), A_error,
				   make_argument(p, depth - 1));
	case 8: return bitstring_new(p, below(100), &bytes);
	case 9:
		key = make_argument(p, 0);
		return tmap_put(p, tmap_from_pairs(p, &key, 0), key, make_argument(p, depth - 1));
	default:
		for (size_t n = below(5); n > 0; n--)
			list = heap_cons(p, make_argument(p, depth - 1), list);
		return list;
	}
}

static void call(struct vm *vm, struct code_image *image, term function, unsigned arity)
{
	struct process *root;
	term args = NIL;
	enum vm_end end;

	region_restore();
	code_activate(vm, image);
	root = process_find(vm, vm->init_pid);
	for (unsigned i = 0; i < arity; i++)
		args = heap_cons(root, make_argument(root, 2), args);
	vm->turns_max = TURNS_MAX;
	end = run_call(vm, image->module, function, args);
	tally.run++;
	tally.endless += end == VM_ENDLESS;
	tally.unsound += end == VM_UNSUPPORTED && strstr(vm->err.message, "unsound");
	tally.ended += end == VM_DONE;
	BUG_ON(end == VM_UNSUPPORTED && !vm->err.message[0], "no message");
}

static void attack(const struct byte_vec *file, const struct victim *v)
{
	struct err err = {0};
	struct code_image *image = code_image_decode(file->items, file->len, NULL, &err);
	struct vm *vm = vm_get();

	if (!image) {
		tally.refused++;
		BUG_ON(!err.message[0] || strchr(err.message, '\n'), "message: %s", err.message);
		return;
	}
	if (v && v->bf.functions[v->function].exported &&
	    v->bf.functions[v->function].arity <= MAX_ARITY)
		call(vm, image, image->functions[v->function].name,
		     image->functions[v->function].arity);
	for (int i = 0; i < CALLS && image->exports_len; i++) {
		struct export *export = export_get(image->exports[below(image->exports_len)]);

		if (export->arity <= MAX_ARITY)
			call(vm, image, export->function, export->arity);
	}
}

static void keep_file(const char *path, const struct byte_vec *file)
{
	FILE *out = path ? fopen(path, "wb") : NULL;

	if (!out)
		return;
	fwrite(file->items, 1, file->len, out);
	fclose(out);
}

static void discard(void *ctx, int stream, const char *text, size_t len)
{
	(void)ctx, (void)stream, (void)text, (void)len;
}

static void open_machine(void)
{
	struct run_options options = {.memory_limit = MEMORY};
	struct err err = {0};

	BUG_ON(!run_open(&options, &err), "%s", err.message);
	leader_set_output(discard, NULL);
	region_checkpoint();
}

static void run_rounds(char **paths, size_t paths_len, size_t rounds, const char *keep)
{
	for (size_t i = 0; i < rounds; i++) {
		struct victim v = {.file = file_bytes(paths[below(paths_len)])};
		struct byte_vec file;

		BUG_ON(!beamfile_read(&v.bf, v.file.items, v.file.len, NULL),
		       "the seed does not read");
		file = make_victim(&v);
		keep_file(keep, &file);
		attack(&file, &v);
		vec_release(&file);
		vec_release(&v.file);
		beamfile_release(&v.bf);
	}
}

int main(int argc, char **argv)
{
	size_t rounds = 1000;
	const char *keep = NULL, *only = NULL;
	int i = 1;

	rng = rng_seeded(1);
	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		if (strcmp(argv[i], "--rounds") == 0)
			rounds = strtoul(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--seed") == 0)
			rng = rng_seeded(strtoul(argv[i + 1], NULL, 10));
		else if (strcmp(argv[i], "--keep") == 0)
			keep = argv[i + 1];
		else if (strcmp(argv[i], "--run") == 0)
			only = argv[i + 1];
	}
	open_machine();
	if (only) {
		struct byte_vec file = file_bytes(only);

		for (size_t n = 0; n < rounds; n++)
			attack(&file, NULL);
	} else {
		BUG_ON(i >= argc, "no seeds");
		run_rounds(argv + i, (size_t)(argc - i), rounds, keep);
	}
	printf("%zu refused, %zu calls: %zu ended, %zu unsound, %zu endless\n", tally.refused,
	       tally.run, tally.ended, tally.unsound, tally.endless);
	return 0;
}
