/* The .beam reader on good files of several shapes, and what it says of bad ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/strbuf.h"
#include "beamfile/beamfile.h"
#include "beamfile/dis.h"
#include "beamfile/etf.h"
#include "beamfile/inflate.h"
#include "container.h"

static struct byte_vec small; /* tests/golden/dis/small.beam */

static char *dis_text(const struct byte_vec *file)
{
	struct err err = {0};
	struct strbuf text = {0};
	struct beamfile bf;

	if (!beamfile_read(&bf, file->items, file->len, &err))
		fail_msg("%s", err.message);
	dis_module(&text, &bf);
	beamfile_release(&bf);
	return strbuf_detach(&text);
}

static void assert_same_code(struct byte_vec *file)
{
	char *want = dis_text(&small);
	char *got = dis_text(file);

	assert_string_equal(got, want);
	mem_free(want);
	mem_free(got);
	vec_release(file);
}

static void assert_refused(struct byte_vec *file, const char *part)
{
	struct err err = {0};
	struct beamfile bf;

	assert_false(beamfile_read(&bf, file->items, file->len, &err));
	if (!strstr(err.message, part))
		fail_msg("\"%s\" does not contain \"%s\"", err.message, part);
	assert_null(strchr(err.message, '\n'));
	vec_release(file);
}

static void test_tables(void **state)
{
	struct beamfile bf;
	uint32_t f;

	assert_true(beamfile_read(&bf, small.items, small.len, NULL));
	assert_string_equal(beamfile_module(&bf), "small");
	assert_string_equal(bf.files[0], "small.erl");
	assert_int_equal(bf.funs_len, 1);
	assert_int_equal(bf.funs[0].num_free, 1);
	assert_int_equal(bf.instrs[bf.instrs_len - 1].op, OP_int_code_end);
	assert_int_equal(bf.on_load, BEAMFILE_NONE);
	assert_int_equal(beamfile_find_atom(&bf, "small"), 1);
	assert_int_equal(beamfile_find_atom(&bf, "no such atom"), 0);
	f = beamfile_function_at(&bf, 0);
	assert_int_equal(f, 0);
	assert_string_equal(bf.atoms[bf.functions[f].name].text, "sum");
	assert_true(bf.functions[f].exported);
	assert_int_equal(beamfile_function_of_label(&bf, bf.functions[f].label), f);
	assert_int_equal(beamfile_function_at(&bf, (uint32_t)bf.instrs_len - 1), BEAMFILE_NONE);
	for (size_t i = 1; i < bf.functions_len; i++)
		assert_int_equal(bf.functions[i].first, bf.functions[i - 1].end);
	beamfile_release(&bf);
}

static void test_attributes_are_terms(void **state)
{
	struct arena arena = {0};
	struct strbuf text = {0};
	struct etf_term term;
	struct beamfile bf;

	assert_true(beamfile_read(&bf, small.items, small.len, NULL));
	assert_true(etf_read(&arena, bf.attributes.bytes, bf.attributes.len, &term, NULL));
	etf_print(&text, &term);
	assert_non_null(strstr(strbuf_text(&text), "{behaviour,[gen_server]}"));
	strbuf_release(&text);
	arena_release(&arena);
	beamfile_release(&bf);
}

static void test_gzipped(void **state)
{
	struct byte_vec file = gzip_bytes(&small);

	assert_same_code(&file);
}

/* OTP 28: a negative count, lengths as compact terms. */
static void test_atoms_of_otp_28(void **state)
{
	size_t len;
	const uint8_t *old = chunk_find(&small, "AtU8", &len);
	uint32_t count = (uint32_t)old[2] << 8 | old[3];
	struct byte_vec body = {0};
	struct byte_vec file;

	push_u32(&body, -count);
	for (size_t i = 0, at = 4; i < count; at += 1 + old[at], i++) {
		if (old[at] < 16) {
			*vec_push(&body) = (uint8_t)(old[at] << 4);
		} else { /* the 11-bit form */
			*vec_push(&body) = 0x08;
			*vec_push(&body) = old[at];
		}
		vec_append(&body, old + at + 1, old[at]);
	}
	file = chunk_replace(&small, "AtU8", &body);
	vec_release(&body);
	assert_same_code(&file);
}

/* OTP 28: size 0 says that the literals are not compressed. */
static void test_literals_of_otp_28(void **state)
{
	size_t len;
	const uint8_t *old = chunk_find(&small, "LitT", &len);
	uLongf size = (uLongf)old[2] << 8 | old[3];
	struct byte_vec body = {0};
	struct byte_vec file;

	push_u32(&body, 0);
	vec_reserve(&body, 4 + size);
	assert_int_equal(uncompress(body.items + 4, &size, old + 4, len - 4), Z_OK);
	body.len = 4 + size;
	file = chunk_replace(&small, "LitT", &body);
	vec_release(&body);
	assert_same_code(&file);
}

static void test_unknown_chunks_are_passed_over(void **state)
{
	struct byte_vec body = {0};
	struct byte_vec file;

	push_u32(&body, 42);
	*vec_push(&body) = 1;
	file = chunk_replace(&small, "Zzzz", &body);
	vec_release(&body);
	assert_same_code(&file);
}

static void test_stripped_of_lines(void **state)
{
	struct byte_vec file = chunk_replace(&small, "Line", NULL);
	char *text = dis_text(&file);

	assert_non_null(strstr(text, "line                unknown"));
	mem_free(text);
	vec_release(&file);
}

/* A Code chunk with the given bytes after the header; three labels. */
static struct byte_vec with_code(const void *code, size_t len, uint32_t highest)
{
	struct byte_vec body = {0};
	struct byte_vec file, bare;

	push_u32(&body, 16);
	push_u32(&body, 0);
	push_u32(&body, highest);
	push_u32(&body, 3);
	push_u32(&body, 1);
	vec_append(&body, (const uint8_t *)code, len);
	file = chunk_replace(&small, "Code", &body);
	vec_clear(&body);
	push_u32(&body, 0);
	bare = chunk_replace(&file, "ExpT", &body);
	vec_release(&file);
	file = chunk_replace(&bare, "LocT", NULL);
	vec_release(&bare);
	bare = chunk_replace(&file, "FunT", NULL);
	vec_release(&file);
	vec_release(&body);
	return bare;
}

#define HEAD "\x01\x10\x02\x12\x12\x00\x01\x20" /* label 1, func_info small:small/0, label 2 */

static struct byte_vec with_tail(const char *tail, size_t len)
{
	struct strbuf code = {0};
	struct byte_vec file;

	strbuf_add(&code, HEAD, sizeof(HEAD) - 1);
	strbuf_add(&code, tail, len);
	file = with_code(code.text, code.len, 180);
	strbuf_release(&code);
	return file;
}

#define REFUSED(tail, part)                                                                        \
	do {                                                                                       \
		struct byte_vec file_ = with_tail(tail, sizeof(tail) - 1);                         \
		assert_refused(&file_, part);                                                      \
	} while (0)

static void test_hand_written_code(void **state)
{
	struct byte_vec file = with_tail("\x13\x03", 2); /* return, int_code_end */
	char *text = dis_text(&file);

	assert_non_null(strstr(text, "function small/0\n"));
	mem_free(text);
	vec_release(&file);
}

#define READS(tail, part)                                                                          \
	do {                                                                                       \
		struct byte_vec file_ = with_tail(tail, sizeof(tail) - 1);                         \
		char *text_ = dis_text(&file_);                                                    \
		assert_non_null(strstr(text_, part));                                              \
		mem_free(text_);                                                                   \
		vec_release(&file_);                                                               \
	} while (0)

/* Chunks that the installed compiler (OTP 25) does not write. */
static void test_instructions_of_otp_26_to_28(void **state)
{
	/* update_record small 3 x0 x1 [2, 7] */
	READS("\xb5\x12\x30\x03\x13\x17\x20\x20\x71\x13\x03",
	      "update_record       small, 3, x0, x1, [2, #7]");
	/* bs_match with a command nobody knows (the atom small) */
	REFUSED("\xb6\x15\x03\x17\x10\x12\x03", "not a command known here");
	/* executable_line 1 7; debug_line small 1 7 0 */
	READS("\xb7\x10\x70\x03", "executable_line     small.erl:");
	READS("\xb8\x12\x10\x70\x00\x03", "debug_line          small, small.erl:");
	REFUSED("\xb7\x08\xff\x70\x03", "bad operand 1"); /* line 255 */
	/* a typed register: move x0 with type 3 to x1 */
	READS("\x40\x57\x03\x30\x13\x03", "move                x0, x1");
	REFUSED("\x40\x57\x11\x30\x13\x03", "bad operand 1"); /* a typed integer */
}

/* bs_match L1 x0 [ensure_at_least, 8, 1] (OTP 26), with its atom added to the table. */
static void test_bs_match(void **state)
{
	static const char name[] = "ensure_at_least";
	size_t len;
	const uint8_t *old = chunk_find(&small, "AtU8", &len);
	uint32_t number = ((uint32_t)old[2] << 8 | old[3]) + 1;
	uint8_t code[] = {0xb6, 0x15, 0x03, 0x17, 0x30, 0x0a, (uint8_t)number, 0x80, 0x10, 0x03};
	struct byte_vec atoms = {0}, file, with_match;
	char *text;

	assert_true(number < 256);
	push_u32(&atoms, number);
	vec_append(&atoms, old + 4, len - 4);
	*vec_push(&atoms) = sizeof(name) - 1;
	vec_append(&atoms, (const uint8_t *)name, sizeof(name) - 1);
	with_match = with_tail((char *)code, sizeof(code));
	file = chunk_replace(&with_match, "AtU8", &atoms);
	text = dis_text(&file);
	assert_non_null(strstr(text, "bs_match            L1, x0, [ensure_at_least, 8, 1]"));
	mem_free(text);
	vec_release(&file);
	vec_release(&atoms);
	vec_release(&with_match);
}

static void test_bad_code(void **state)
{
	REFUSED("\x13", "ends without int_code_end");
	REFUSED("\x1b\x03", "opcode 27");
	REFUSED("\x3d\x05\x03", "bad operand 1");             /* jump 0 */
	REFUSED("\x3d\x75\x03", "bad operand 1");             /* jump 7, of 3 labels */
	REFUSED("\x3d\x20\x03", "bad operand 1");             /* jump to a number */
	REFUSED("\x01\x20\x03", "defined twice");             /* label 2 again */
	REFUSED("\x01\x70\x03", "out of range");              /* label 7 */
	REFUSED("\x40\x0a\xff\x03\x03", "bad operand 1");     /* move of atom 255 */
	REFUSED("\x40\x47\xf0\x03\x03", "bad operand 1");     /* move of literal 15 */
	REFUSED("\x40\x13\x10\x03", "bad operand 2");         /* move to a number */
	REFUSED("\x40\x13\x7b\xff\xff\xff\xff\x03", "bad operand 2"); /* x register -1 */
	REFUSED("\x04\x10\x15\x03", "not a function of arity 1"); /* call 1, label 1 */
	REFUSED("\x07\xf0\x00\x03", "arguments for an import"); /* call_ext 15, import 0 */
	REFUSED("\x07\x10\x0a\xff\x03", "bad operand 2");     /* import by atom */
	REFUSED("\x84\x05\x03\x0a\x00\x00\x03", "bad operand"); /* bs_match_string, bits an atom */
	REFUSED("\x84\x05\x03\xf0\xf0\x03", "outside the string table");
	REFUSED("\x99\x08\xff\x03", "bad operand 1");         /* line 255 */
	REFUSED("\xa4\x03\x17\xf0\x03", "bad operand 2");     /* put_tuple2 of 15, one there */
	REFUSED("\xa4\x03\x17\x10\x17\x00\x03", "bad operand 2"); /* a list inside a list */
	REFUSED("\x10\xf8\xf8\xf8\xf8\xf8", "bad operand 1"); /* lengths of lengths of lengths */
	REFUSED("\x3b\x03\x05\x17\x10\x11\x03", "bad operand 3"); /* select_val, half a pair */
}

static void test_bad_containers(void **state)
{
	static const struct {
		const char *id;
		const char *part;
	} required[] = {{"AtU8", "no AtU8"}, {"ImpT", "no ImpT"}, {"ExpT", "no ExpT"},
			{"Code", "no Code"}};
	struct byte_vec file = {0}, huge = {0};

	for (size_t i = 0; i < sizeof(required) / sizeof(required[0]); i++) {
		file = chunk_replace(&small, required[i].id, NULL);
		assert_refused(&file, required[i].part);
	}
	file = (struct byte_vec){0};
	assert_refused(&file, "not a BEAM file");
	vec_append(&file, "no such thing at all", 20);
	assert_refused(&file, "not a BEAM file");
	for (size_t i = 0; i < 100; i++)
		push_u32(&huge, UINT32_MAX);
	for (const char *id = "ImpTExpTLocTFunTLitTLine"; *id; id += 4) {
		file = chunk_replace(&small, id, &huge);
		assert_refused(&file, " chunk: ");
	}
	vec_release(&huge);
	file = with_code(HEAD "\x03", sizeof(HEAD), 250);
	assert_refused(&file, "uses opcode 250");
}

/* 64 MB of zeros pack to 64 kB; they must not be unpacked beyond the limit. */
static void test_zip_bomb(void **state)
{
	enum { LIMIT = 1 << 20, SIZE = 64 << 20 };
	struct byte_vec zeros = {0}, bomb;
	struct err err = {0};
	uint8_t *out;
	size_t out_len;

	vec_reserve(&zeros, SIZE);
	memset(zeros.items, 0, SIZE);
	zeros.len = SIZE;
	bomb = gzip_bytes(&zeros);
	assert_false(inflate_gzip(bomb.items, bomb.len, LIMIT, &out, &out_len, &err));
	assert_non_null(strstr(err.message, "unpacks to more than"));
	vec_release(&zeros);
	vec_release(&bomb);
}

static void assert_term(const void *bytes, size_t len, const char *want)
{
	struct arena arena = {0};
	struct strbuf text = {0};
	struct err err = {0};
	struct etf_term term;

	if (etf_read(&arena, bytes, len, &term, &err))
		etf_print(&text, &term);
	else
		strbuf_adds(&text, "error");
	assert_string_equal(strbuf_text(&text), want);
	strbuf_release(&text);
	arena_release(&arena);
}

#define TERM(bytes, want) assert_term(bytes, sizeof(bytes) - 1, want)

static void test_external_terms(void **state)
{
	TERM("\x83\x61\x07", "7");
	TERM("\x83\x62\xff\xff\xff\xff", "-1");
	TERM("\x83\x46\x3f\xf8\x00\x00\x00\x00\x00\x00", "1.5");
	TERM("\x83\x64\x00\x02ok", "ok");
	TERM("\x83\x73\x02\xe5!", "'\xc3\xa5!'");
	TERM("\x83\x77\x00", "''");
	TERM("\x83\x68\x02\x6a\x6b\x00\x02hi", "{[],\"hi\"}");
	TERM("\x83\x6c\x00\x00\x00\x01\x61\x01\x61\x02", "[1|2]");
	TERM("\x83\x4d\x00\x00\x00\x02\x03\xff\xe0", "<<255,7:3>>");
	TERM("\x83\x74\x00\x00\x00\x01\x61\x01\x61\x02", "#{1=>2}");
	TERM("\x83\x6e\x09\x01\x01\x02\x03\x04\x05\x06\x07\x08\x09", "-16#090807060504030201");
	TERM("\x83\x71\x77\x01m\x77\x01" "f\x61\x02", "fun m:f/2");
	TERM("\x83\x69\xff\xff\xff\xff\x61\x01", "error");
	TERM("\x83\x6c\xff\xff\xff\xff\x61\x01", "error");
	TERM("\x83\x6d\x7f\xff\xff\xff", "error");
	TERM("\x83\x74\xff\xff\xff\xff\x61", "error");
	TERM("\x83\x50\x00\x00\x00\x01", "error");
	TERM("\x83", "error");
	TERM("\x61\x01", "error");
}

/* A million tuples in each other, and as many empty lists of a tail. */
static void test_deep_terms(void **state)
{
	enum { DEPTH = 1 << 20 };
	uint8_t *deep = mem_alloc(2 * DEPTH + 1);

	deep[0] = 131;
	for (size_t i = 0; i < DEPTH; i++) {
		deep[1 + 2 * i] = 104;
		deep[2 + 2 * i] = 1;
	}
	assert_term(deep, 2 * DEPTH + 1, "error");
	for (size_t i = 0; i < 2 * DEPTH; i++)
		deep[1 + i] = i % 5 ? 0 : 108;
	assert_term(deep, 2 * DEPTH + 1, "error");
	mem_free(deep);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_attributes_are_terms),
		cmocka_unit_test(test_gzipped),
		cmocka_unit_test(test_atoms_of_otp_28),
		cmocka_unit_test(test_literals_of_otp_28),
		cmocka_unit_test(test_unknown_chunks_are_passed_over),
		cmocka_unit_test(test_stripped_of_lines),
		cmocka_unit_test(test_hand_written_code),
		cmocka_unit_test(test_instructions_of_otp_26_to_28),
		cmocka_unit_test(test_bs_match),
		cmocka_unit_test(test_bad_code),
		cmocka_unit_test(test_bad_containers),
		cmocka_unit_test(test_zip_bomb),
		cmocka_unit_test(test_external_terms),
		cmocka_unit_test(test_deep_terms),
	};
	int failed;

	small = file_bytes(argv[1]);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	vec_release(&small);
	return failed;
}
