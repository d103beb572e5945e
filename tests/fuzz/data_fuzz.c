/* Functions that take untrusted data, under attack: binary_to_term with made-up and damaged bytes,
 * match specs with made-up heads, guards and bodies.
 *
 *     data_fuzz [--rounds N] [--seed N]
 *
 * A term that binary_to_term accepts must survive being written and read again, compared, hashed
 * and printed. Run it with the sanitizers on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../beamfile/container.h"
#include "base/bug.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "vm/bifs/bif.h"
#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/run.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/terms/compare.h"
#include "vm/terms/print.h"

enum { MEMORY = 128 << 20, MAX_DEPTH = 4 };

static struct rng rng;
static struct {
	size_t terms, terms_refused, specs, specs_refused;
} tally;

static unsigned below(unsigned n)
{
	return (unsigned)rng_below(&rng, n);
}

static struct process *root(void)
{
	return process_find(vm_get(), vm_get()->init_pid);
}

/* ---- the external term format ---- */

static void push(struct byte_vec *out, unsigned byte)
{
	*vec_push(out) = (uint8_t)byte;
}

static void push_u16(struct byte_vec *out, unsigned value)
{
	push(out, value >> 8);
	push(out, value & 0xff);
}

static void push_junk(struct byte_vec *out, size_t len)
{
	while (len-- > 0)
		push(out, (unsigned)rng_next(&rng) & 0xff);
}

/* Mostly what is there, sometimes a lie. */
static uint32_t claim(uint32_t len)
{
	return below(40) ? len : below(2) ? len + below(3) - 1 : (uint32_t)rng_next(&rng);
}

static void push_atom(struct byte_vec *out)
{
	static const char *const names[] = {"ok", "nonode@nohost", "lists",
					    "", "erlang", "\xc3\xa9"};
	const char *name = names[below(6)];

	push(out, below(2) ? 119 : 115);
	push(out, claim((uint32_t)strlen(name)) & 0xff);
	vec_append(out, (const uint8_t *)name, strlen(name));
}

static void push_term(struct byte_vec *out, unsigned depth);

static void push_terms(struct byte_vec *out, unsigned n, unsigned depth)
{
	for (unsigned i = 0; i < n; i++)
		push_term(out, depth - 1);
}

static void push_number(struct byte_vec *out)
{
	unsigned n = below(12);

	switch (below(5)) {
	case 0:
		push(out, 97);
		push_junk(out, 1);
		break;
	case 1:
		push(out, 98);
		push_junk(out, 4);
		break;
	case 2:
		push(out, 70);
		push_junk(out, 8);
		break;
	case 3:
		push(out, 110);
		push(out, claim(n) & 0xff);
		push(out, below(3));
		push_junk(out, n);
		break;
	default:
		push(out, 111);
		push_u32(out, claim(n));
		push(out, below(2));
		push_junk(out, n);
	}
}

static void push_bytes(struct byte_vec *out)
{
	unsigned n = below(80);
	bool is_string = below(3) == 0, is_bits = !is_string && below(2);

	push(out, is_string ? 107 : is_bits ? 77 : 109);
	if (is_string)
		push_u16(out, claim(n) & 0xffff);
	else
		push_u32(out, claim(n));
	if (is_bits)
		push(out, below(10));
	push_junk(out, n);
}

/* Pids, references, ports, funs: a node, then numbers. */
static void push_name(struct byte_vec *out)
{
	static const uint8_t tags[] = {88, 103, 89, 102, 120, 90, 114, 101, 113, 112, 117};
	uint8_t tag = tags[below(sizeof(tags))];

	push(out, tag);
	if (tag == 90 || tag == 114)
		push_u16(out, claim(1 + below(4)) & 0xffff);
	if (tag == 112) {
		push_u32(out, below(60));
		push(out, below(4));
		push_junk(out, 16);
	}
	push_atom(out);
	push_junk(out, below(20));
	if (tag == 113 || tag == 112)
		push_atom(out);
	push_number(out);
}

static void push_term(struct byte_vec *out, unsigned depth)
{
	unsigned n = below(5);

	switch (below(depth ? 9 : 4)) {
	case 0: push_number(out); break;
	case 1: push_atom(out); break;
	case 2: push_bytes(out); break;
	case 3: push(out, 106); break;
	case 4:
		push(out, 104);
		push(out, claim(n) & 0xff);
		push_terms(out, n, depth);
		break;
	case 5:
		push(out, 108);
		push_u32(out, claim(n));
		push_terms(out, n + 1, depth);
		break;
	case 6:
		push(out, 116);
		push_u32(out, claim(n * 12));
		push_terms(out, n * 24, depth > 1 ? 1 : depth);
		break;
	case 7: push_name(out); break;
	default:
		push(out, 105);
		push_u32(out, claim(n));
		push_terms(out, n, depth);
	}
}

static void use_term(struct process *p, term t)
{
	struct strbuf text = {0};
	term encoded = bif_erlang_term_to_binary_1(p, &t), again;

	BUG_ON(encoded == TERM_NONE, "what was read cannot be written");
	again = bif_erlang_binary_to_term_1(p, &encoded);
	BUG_ON(again == TERM_NONE, "what was written cannot be read");
	BUG_ON(!term_equal(t, again), "a term is not what it was");
	BUG_ON(term_compare(t, again) != 0, "equal terms are ordered");
	BUG_ON(bif_erlang_phash2_1(p, &t) != bif_erlang_phash2_1(p, &again),
	       "equal terms, two hashes");
	print_term(t, &text);
	strbuf_release(&text);
}

static void attack_decoder(void)
{
	struct process *p = root();
	struct byte_vec bytes = {0};
	term binary, t;

	push(&bytes, 131);
	push_term(&bytes, MAX_DEPTH);
	for (unsigned n = below(3) ? 0 : below(4); n > 0; n--)
		bytes.items[below((unsigned)bytes.len)] = (uint8_t)rng_next(&rng);
	if (below(10) == 0)
		bytes.len -= below((unsigned)bytes.len);
	binary = binary_from(p, bytes.items, bytes.len);
	vec_release(&bytes);
	t = bif_erlang_binary_to_term_1(p, &binary);
	tally.terms += t != TERM_NONE;
	tally.terms_refused += t == TERM_NONE;
	if (t != TERM_NONE)
		use_term(p, t);
}

/* ---- match specs ---- */

static term make_atom(void)
{
	static const char *const names[] = {
		"$1", "$2", "$3", "_", "$_", "$$", "const", "element", "+", "-", "div", "hd", "tl",
		"is_atom", "is_map_key", "map_get", "andalso", "orelse", "and", "not", "==", "=:=",
		"<", "length", "size", "self", "node", "binary_part", "bsl", "abs", "float",
		"round", "tuple_size", "is_record", "is_function", "set_seq_token", "message",
		"return_trace", "ok", "true", "a",
	};

	return atom_from_string(names[below(sizeof(names) / sizeof(*names))]);
}

static term make_part(struct process *p, unsigned depth)
{
	term items[4], list = NIL;
	unsigned n = below(5);

	switch (below(depth ? 8 : 3)) {
	case 0: return small_make((int64_t)below(70) - 4);
	case 1: return make_atom();
	case 2: return below(2) ? heap_float(p, 1.5) : heap_unsigned(p, UINT64_MAX);
	case 3:
	case 4:
		for (unsigned i = 0; i < 4; i++)
			items[i] = i ? make_part(p, depth - 1) : make_atom();
		return heap_tuple(p, n < 4 ? n : 4, items);
	case 5:
		for (unsigned i = 0; i < n; i++)
			list = heap_cons(p, make_part(p, depth - 1), list);
		return below(5) ? list : heap_cons(p, list, make_atom());
	case 6: return heap_tuple(p, 1, (term[]){heap_tuple2(p, make_part(p, depth - 1),
							     make_atom())});
	default: return binary_from(p, "bytes", n);
	}
}

static void attack_matcher(void)
{
	struct process *p = root();
	term clauses = NIL, args[3], result;

	for (unsigned n = 1 + below(3); n > 0; n--) {
		term guards = below(3) ? heap_cons(p, make_part(p, 3), NIL) : make_part(p, 2);
		term body = heap_cons(p, make_part(p, 3), NIL);

		clauses = heap_cons(p, heap_tuple3(p, make_part(p, 3), guards, body), clauses);
	}
	args[0] = below(4) ? make_part(p, 3) : heap_tuple2(p, small_make(1), make_part(p, 2));
	args[1] = clauses;
	args[2] = atom_from_string("table");
	result = bif_erlang_match_spec_test_3(p, args);
	tally.specs += result != TERM_NONE && tuple_element(result, 0) == A_ok;
	tally.specs_refused += result == TERM_NONE || tuple_element(result, 0) != A_ok;
}

int main(int argc, char **argv)
{
	struct run_options options = {.memory_limit = MEMORY};
	size_t rounds = 10000;
	struct err err = {0};

	rng = rng_seeded(1);
	for (int i = 1; i + 1 < argc; i += 2) {
		if (strcmp(argv[i], "--rounds") == 0)
			rounds = strtoul(argv[i + 1], NULL, 10);
		else if (strcmp(argv[i], "--seed") == 0)
			rng = rng_seeded(strtoul(argv[i + 1], NULL, 10));
	}
	BUG_ON(!run_open(&options, &err), "%s", err.message);
	region_checkpoint();
	for (size_t i = 0; i < rounds; i++) {
		region_restore();
		attack_decoder();
		attack_matcher();
	}
	printf("%zu terms read, %zu refused; %zu specs run, %zu refused\n", tally.terms,
	       tally.terms_refused, tally.specs, tally.specs_refused);
	return 0;
}
