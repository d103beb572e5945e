/* harmless_add: characters that a terminal obeys become "?", all others stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/harmless.h"

static const struct {
	const char *text, *shown;
} cases[] = {
	{"", ""},
	{"plain, \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "plain, \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
	{"\033[31mred\033[0m", "?[31mred?[0m"},
	{"a\tb\nc", "a?b?c"},
	{"\x7f\r", "??"},
	{"\xc2\x9b" "31m", "?31m"},
	{"\x9b" "31m", "?31m"},
	{"pass\xe2\x80\xae" "deliaf", "pass?deliaf"},
	{"\xd8\x9c\xe2\x80\x8e\xe2\x80\xaa\xe2\x81\xa6\xe2\x81\xa9", "?????"},
	{"\xe2\x80\xa6", "\xe2\x80\xa6"}, /* an ellipsis */
	{"caf\xe9", "caf?"},                 /* not UTF-8 */
	{"\xe2\x80", "??"},                 /* cut */
	{"\xc0\x9b" "31m", "??31m"},        /* an escape character in more bytes than it needs */
	{"\xed\xa0\x80", "???"},            /* half of a character of UTF-16 */
	{"\xf4\x90\x80\x80", "????"},       /* behind the last one */
};

static void test_cases(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text = cases[i].text;
		struct strbuf out = {0};

		harmless_add(&out, text, strlen(text), false);
		assert_string_equal(strbuf_text(&out), cases[i].shown);
		assert_int_equal(harmless_is(text, strlen(text), false),
				 strcmp(text, cases[i].shown) == 0);
		strbuf_release(&out);
	}
}

static void test_lines_are_kept(void **state)
{
	struct strbuf out = {0};

	harmless_add(&out, "a\tb\n\033c", 6, true);
	assert_string_equal(strbuf_text(&out), "a\tb\n?c");
	assert_true(harmless_is("a\tb\n", 4, true));
	strbuf_release(&out);
}

static void test_json_shows_no_control_character(void **state)
{
	struct strbuf out = {0};

	harmless_add_json(&out, "{\"a\": \"\x7f\xc2\x9b\xe2\x80\xae \xc3\xa4\"}\n");
	assert_string_equal(strbuf_text(&out), "{\"a\": \"\\u007f\\u009b\\u202e \xc3\xa4\"}\n");
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_lines_are_kept),
		cmocka_unit_test(test_json_shows_no_control_character),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
