/* The verifier on functions made by hand: f/1, whose entry is label 2, label 3 somewhere inside.
 * Each is given as its body; what is wrong with it must be said in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "vm/code/verify.h"

#define X(n) {.kind = BEAM_X, .value = (n)}
#define Y(n) {.kind = BEAM_Y, .value = (n)}
#define U(n) {.kind = BEAM_U, .value = (n)}
#define INT(n) {.kind = BEAM_INT, .value = (n)}
#define LABEL(n) {.kind = BEAM_LABEL, .value = (n)}
#define ATOM(n) {.kind = BEAM_ATOM, .value = (n)}
#define EMPTY {.kind = BEAM_NIL}
#define LIST(...)                                                              \
	{                                                                      \
		.kind = BEAM_LIST, .items = (const struct beam_operand[]){__VA_ARGS__},   \
		.len = sizeof((const struct beam_operand[]){__VA_ARGS__}) /    \
		       sizeof(struct beam_operand)                             \
	}
#define IN(name, ...)                                                          \
	{                                                                      \
		.op = OP_##name, .operands = (const struct beam_operand[]){__VA_ARGS__},  \
		.operands_len = sizeof((const struct beam_operand[]){__VA_ARGS__}) /      \
				sizeof(struct beam_operand)                    \
	}
#define PLAIN(name) {.op = OP_##name}
#define BODY(...) (const struct beam_instr[]){__VA_ARGS__, PLAIN(int_code_end)}

enum { BODY_MAX = 40, LABELS = 4, HEAD = 3 };

/* The message for this body; "" when it is sound. */
static const char *judge(const struct beam_instr *body)
{
	static struct err err;
	struct beam_atom atoms[] = {{"", 0}, {"m", 1}, {"f", 1}, {"erlang", 6}, {"error", 5},
				    {"hd", 2}, {"id", 2}, {"list_to_tuple", 13},
				    {"byte_size", 9}, {"ensure_at_least", 15}, {"integer", 7}};
	struct beam_import imports[] = {{3, 4, 1}, {3, 5, 1}, {1, 6, 1}, {3, 7, 1}, {3, 8, 1}};
	struct beam_instr instrs[BODY_MAX + HEAD] = {
		IN(label, U(1)), IN(func_info, ATOM(1), ATOM(2), U(1)), IN(label, U(2))};
	uint32_t labels[LABELS] = {BEAMFILE_NONE, 0, 2, BEAMFILE_NONE};
	struct beam_function function = {
		.name = 2, .arity = 1, .label = 2, .func_info = 1, .entry = 2};
	struct beamfile bf = {.atoms = atoms, .atoms_len = 11, .imports = imports, .imports_len = 5,
			      .instrs = instrs, .labels = labels, .labels_len = LABELS,
			      .functions = &function, .functions_len = 1, .on_load = BEAMFILE_NONE};
	size_t len = HEAD;
	bool must_clear[1] = {false}, must_preset[BODY_MAX + HEAD] = {false};
	struct verify_facts facts = {must_clear, must_preset};

	err = (struct err){0};
	for (; body->op != OP_int_code_end; body++) {
		if (body->op == OP_label)
			labels[body->operands[0].value] = (uint32_t)len;
		instrs[len++] = *body;
	}
	instrs[len] = *body;
	function.end = (uint32_t)len;
	bf.instrs_len = len + 1;
	verify_code(&bf, &facts, &err);
	return err.message;
}

#define assert_sound(...) assert_string_equal(judge(BODY(__VA_ARGS__)), "")
#define assert_unsound(what, ...) assert_non_null(strstr(judge(BODY(__VA_ARGS__)), what))

static void test_registers(void **state)
{
	assert_sound(PLAIN(return));
	assert_sound(IN(move, X(0), X(5)), IN(move, X(5), X(0)), PLAIN(return));
	assert_unsound("x1 is not set", IN(move, X(1), X(0)), PLAIN(return));
	assert_unsound("y0 lies outside", IN(move, Y(0), X(0)), PLAIN(return));
	assert_unsound("y0 is not set", IN(allocate, U(1), U(1)), IN(move, Y(0), X(0)),
		       IN(deallocate, U(1)), PLAIN(return));
	assert_unsound("y3 lies outside", IN(allocate, U(3), U(1)), IN(move, X(0), Y(3)),
		       IN(deallocate, U(3)), PLAIN(return));
	/* set on one path only */
	assert_unsound("x1 is not set", IN(is_atom, LABEL(3), X(0)), IN(move, X(0), X(1)),
		       IN(label, U(3)), IN(move, X(1), X(0)), PLAIN(return));
	(void)state;
}

static void test_frames(void **state)
{
	assert_sound(IN(allocate, U(0), U(1)), IN(call_ext, U(1), U(2)), IN(deallocate, U(0)),
		     PLAIN(return));
	assert_unsound("there is a frame", IN(allocate, U(0), U(1)), PLAIN(return));
	assert_unsound("there is no frame", IN(call_ext, U(1), U(2)), PLAIN(return));
	assert_unsound("drops a frame of 2 where it has 1", IN(allocate_zero, U(1), U(1)),
		       IN(deallocate, U(2)), PLAIN(return));
	assert_unsound("y0 is not set", IN(allocate, U(1), U(1)), IN(call_ext, U(1), U(2)),
		       IN(deallocate, U(1)), PLAIN(return));
	assert_unsound("x0 is not set", IN(allocate, U(0), U(0)), IN(call_ext, U(1), U(2)),
		       IN(deallocate, U(0)), PLAIN(return));
	assert_unsound("goes on behind its end", IN(move, INT(1), X(0)));
	/* what never returns needs no frame, and may be shared by several */
	assert_sound(IN(is_atom, LABEL(3), X(0)), IN(allocate_zero, U(2), U(1)), IN(label, U(3)),
		     IN(call_ext, U(1), U(0)));
	(void)state;
}

static void test_heap(void **state)
{
	assert_sound(IN(test_heap, U(2), U(1)), IN(put_list, X(0), EMPTY, X(0)), PLAIN(return));
	assert_unsound("builds 2 words where 0 are reserved", IN(put_list, X(0), EMPTY, X(0)),
		       PLAIN(return));
	assert_unsound("builds 2 words where 1 are", IN(test_heap, U(3), U(1)),
		       IN(put_list, X(0), EMPTY, X(0)), IN(put_list, X(0), EMPTY, X(0)),
		       PLAIN(return));
	assert_unsound("no bit string has been begun",
		       IN(bs_put_integer, LABEL(0), INT(8), U(1), U(0), X(0)), PLAIN(return));
	(void)state;
}

static void test_handlers(void **state)
{
	assert_sound(IN(allocate, U(1), U(1)), IN(try, Y(0), LABEL(3)), IN(call_ext, U(1), U(2)),
		     IN(try_end, Y(0)), IN(deallocate, U(1)), PLAIN(return), IN(label, U(3)),
		     IN(try_case, Y(0)), IN(deallocate, U(1)), PLAIN(return));
	assert_unsound("label 3 does not close y0", IN(allocate, U(1), U(1)),
		       IN(try, Y(0), LABEL(3)), IN(try_end, Y(0)), IN(label, U(3)),
		       IN(deallocate, U(1)), PLAIN(return));
	assert_unsound("with open handlers", IN(allocate, U(1), U(1)), IN(try, Y(0), LABEL(3)),
		       IN(deallocate, U(1)), PLAIN(return), IN(label, U(3)), IN(try_case, Y(0)),
		       IN(deallocate, U(1)), PLAIN(return));
	assert_unsound("y0 holds a handler", IN(allocate, U(1), U(1)), IN(try, Y(0), LABEL(3)),
		       IN(move, Y(0), X(0)), IN(label, U(3)), IN(try_case, Y(0)),
		       IN(deallocate, U(1)), PLAIN(return));
	(void)state;
}

static void test_contexts_and_guards(void **state)
{
	assert_sound(IN(bs_start_match3, LABEL(1), X(0), U(1), X(1)),
		     IN(bs_get_tail, X(1), X(0), U(2)), PLAIN(return));
	assert_unsound("x0 may be a match context", IN(bs_start_match3, LABEL(1), X(0), U(1), X(0)),
		       PLAIN(return));
	assert_sound(IN(bif1, LABEL(0), U(1), X(0), X(0)), PLAIN(return));
	assert_unsound("inside an expression", IN(bif1, LABEL(0), U(3), X(0), X(0)), PLAIN(return));
	assert_unsound("has no label", IN(is_atom, LABEL(0), X(0)), PLAIN(return));
	(void)state;
}

/* The compiler knows types that the file does not contain. */
static void test_knowing_compiler(void **state)
{
	/* the size of the bits that are left */
	assert_sound(IN(bs_start_match3, LABEL(1), X(0), U(1), X(0)),
		     IN(gc_bif1, LABEL(0), U(1), U(4), X(0), X(0)), PLAIN(return));
	assert_unsound("x0 may be a match context", IN(bs_start_match3, LABEL(1), X(0), U(1), X(0)),
		       IN(bif1, LABEL(0), U(1), X(0), X(0)), PLAIN(return));
	/* a result that is used behind the label of a failure */
	assert_sound(IN(bif1, LABEL(3), U(1), X(0), X(1)), IN(label, U(3)), IN(move, X(1), X(0)),
		     PLAIN(return));
	assert_unsound("x2 is not set", IN(bif1, LABEL(3), U(1), X(0), X(1)), IN(label, U(3)),
		       IN(move, X(2), X(0)), PLAIN(return));
	/* only the first command can fail, and x2 is set then */
	assert_sound(IN(bs_start_match3, LABEL(1), X(0), U(1), X(1)), IN(move, INT(7), X(2)),
		     IN(bs_match, LABEL(3), X(1), LIST(ATOM(9), U(8), U(1), ATOM(10), U(2), EMPTY,
						       U(8), U(1), X(0))),
		     PLAIN(return), IN(label, U(3)), IN(move, X(2), X(0)), PLAIN(return));
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers), cmocka_unit_test(test_frames),
		cmocka_unit_test(test_heap), cmocka_unit_test(test_handlers),
		cmocka_unit_test(test_contexts_and_guards),
		cmocka_unit_test(test_knowing_compiler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
