/* Terms kept outside the machine: they outlive a restore, equal ones have equal handles, and what
 * comes from a file may be anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prop/beam_terms.h"
#include "vm/memory/region.h"
#include "vm/terms/atom.h"
#include "vm/terms/compare.h"
#include "vm/vm.h"

static struct process *root(void)
{
	return process_find(vm_get(), vm_get()->init_pid);
}

/* {N, [N, "text"], Pid, {ok, 0.5}} */
static term make(int64_t n)
{
	struct process *p = root();
	term parts[4] = {heap_integer(p, n), NIL, p->pid, TERM_NONE};

	parts[1] = heap_cons(p, parts[0], heap_cons(p, heap_string(p, "text"), NIL));
	parts[3] = heap_tuple2(p, A_ok, heap_float(p, 0.5));
	return heap_tuple(p, 4, parts);
}

static void outlives_restore(void **state)
{
	struct beam_terms terms = {0};
	uint32_t handle;

	(void)state;
	region_checkpoint();
	handle = beam_terms_put(&terms, make(1));
	region_restore();
	assert_true(term_compare_exact(beam_terms_get(&terms, handle, root()), make(1)) == 0);
	region_forget_checkpoint(); /* and its fault handler */
	beam_terms_release(&terms);
}

static void equal_terms_are_one(void **state)
{
	struct beam_terms terms = {0};
	uint32_t first = beam_terms_put(&terms, make(1)), other = beam_terms_put(&terms, make(2));

	(void)state;
	assert_int_equal(first, 1);
	assert_int_equal(other, 2);
	assert_int_equal(beam_terms_put(&terms, make(1)), first);
	assert_int_equal(beam_terms_put(&terms, make(2)), other);
	beam_terms_clear(&terms);
	assert_int_equal(beam_terms_put(&terms, make(2)), 1);
	beam_terms_release(&terms);
}

static void goes_through_a_file(void **state)
{
	struct beam_terms terms = {0}, read = {0};
	uint32_t handle = beam_terms_put(&terms, make(-7));
	struct strbuf hex = {0};

	(void)state;
	beam_terms_add_hex(&terms, handle, &hex);
	handle = beam_terms_put_hex(&read, strbuf_text(&hex), root());
	assert_int_equal(handle, 1);
	assert_true(term_compare_exact(beam_terms_get(&read, handle, root()), make(-7)) == 0);
	strbuf_release(&hex);
	beam_terms_release(&terms);
	beam_terms_release(&read);
}

/* Every prefix of a good one, every single wrong digit, and a map that has a key twice. */
static void damaged_files_are_refused(void **state)
{
	struct beam_terms terms = {0}, read = {0};
	struct strbuf hex = {0};
	char *text;

	(void)state;
	beam_terms_add_hex(&terms, beam_terms_put(&terms, make(1)), &hex);
	text = strbuf_detach(&hex);
	for (size_t i = 0, len = strlen(text); i < len; i++) {
		char kept = text[i];

		text[i] = '\0';
		assert_int_equal(beam_terms_put_hex(&read, text, root()), 0);
		text[i] = 'g';
		assert_int_equal(beam_terms_put_hex(&read, text, root()), 0);
		text[i] = kept == 'f' ? '0' : 'f'; /* may be another good term: only no crash */
		beam_terms_put_hex(&read, text, root());
		text[i] = kept;
	}
	assert_int_equal(beam_terms_put_hex(&read, "74000000026101610261016103", root()), 0);
	mem_free(text);
	beam_terms_release(&terms);
	beam_terms_release(&read);
}

static int open_machine(void **state)
{
	struct err err = {0};

	(void)state;
	return vm_open((size_t)1 << 30, &err) ? 0 : -1;
}

static int close_machine(void **state)
{
	(void)state;
	vm_close();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outlives_restore),
		cmocka_unit_test(equal_terms_are_one),
		cmocka_unit_test(goes_through_a_file),
		cmocka_unit_test(damaged_files_are_refused),
	};

	return cmocka_run_group_tests(tests, open_machine, close_machine);
}
