/* The growing text: always terminated, never NULL, grown by every kind of addition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/strbuf.h"

static void test_empty(void **state)
{
	struct strbuf buf = {0};

	assert_string_equal(strbuf_text(&buf), "");
	strbuf_clear(&buf);
	assert_string_equal(strbuf_text(&buf), "");
	strbuf_adds(&buf, "");
	assert_int_equal(buf.len, 0);
	assert_string_equal(strbuf_text(&buf), "");
	strbuf_release(&buf);
	assert_string_equal(strbuf_text(&buf), "");
}

static void test_additions(void **state)
{
	struct strbuf buf = {0};

	strbuf_addc(&buf, 'a');
	strbuf_adds(&buf, "bc");
	strbuf_add(&buf, "defghi", 3);
	strbuf_addf(&buf, "%d%s", 7, "!");
	assert_string_equal(strbuf_text(&buf), "abcdef7!");
	strbuf_pad(&buf, 10, '.');
	assert_string_equal(strbuf_text(&buf), "abcdef7!..");
	strbuf_pad(&buf, 3, '.'); /* is longer already */
	assert_int_equal(buf.len, 10);
	strbuf_release(&buf);
}

/* Terminated after every addition, across growth. */
static void test_growth(void **state)
{
	struct strbuf buf = {0};

	for (size_t i = 0; i < 5000; i++) {
		strbuf_addf(&buf, "%04zu", i);
		assert_int_equal(buf.len, 4 * (i + 1));
		assert_int_equal(buf.text[buf.len], '\0');
		assert_true(buf.cap > buf.len);
	}
	assert_memory_equal(buf.text + 4 * 4321, "4321", 4);
	strbuf_clear(&buf);
	assert_string_equal(strbuf_text(&buf), "");
	strbuf_addf(&buf, "%*s|", 3000, "x"); /* longer than any guess */
	assert_int_equal(buf.len, 3001);
	assert_int_equal(buf.text[3000], '|');
	strbuf_release(&buf);
}

/* The bytes may have zeros in them; detaching leaves an empty text. */
static void test_bytes_and_detach(void **state)
{
	struct strbuf buf = {0};
	char *text;

	strbuf_add(&buf, "a\0b", 3);
	assert_int_equal(buf.len, 3);
	assert_memory_equal(buf.text, "a\0b", 4);
	text = strbuf_detach(&buf);
	assert_memory_equal(text, "a\0b", 4);
	mem_free(text);
	assert_string_equal(strbuf_text(&buf), "");
	text = strbuf_detach(&buf); /* of nothing: still a text */
	assert_string_equal(text, "");
	mem_free(text);
	strbuf_release(&buf);
}

static void test_shell_words(void **state)
{
	static const struct {
		const char *word, *quoted;
	} words[] = {
		{".fermata/race-26c8c1c9c9c7", ".fermata/race-26c8c1c9c9c7"},
		{"of the project/x", "'of the project/x'"},
		{"it's", "'it'\\''s'"},
		{"$HOME", "'$HOME'"},
		{"", "''"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct strbuf buf = {0};

		strbuf_add_shell(&buf, words[i].word);
		assert_string_equal(strbuf_text(&buf), words[i].quoted);
		strbuf_release(&buf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shell_words),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_additions),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_bytes_and_detach),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
