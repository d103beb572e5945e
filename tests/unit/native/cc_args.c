#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "native/cc_args.h"

static struct arena arena;
static struct cc_args args;
static struct err err;

/* Parses the words of a line. */
static bool parse(const char *line)
{
	char *words[32], *save = NULL, *copy = arena_strdup(&arena, line);
	int len = 0;

	cc_args_release(&args);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		words[len++] = word;
	return cc_args_parse(&args, len, words, &arena, &err);
}

static const struct cc_arg *arg(size_t i)
{
	assert_in_range(i, 0, args.args.len - 1);
	return &args.args.items[i];
}

static void test_roles(void **state)
{
	assert_true(parse("-c -O2 -g3 -Iinclude -I include2 -DX=1 -lm -Wl,-O1 -Wall a.c b.o"));
	assert_int_equal(args.inputs, 2);
	assert_int_equal(args.sources, 1);
	assert_int_equal(args.stop, CC_STOP_COMPILED);
	assert_true(args.has_optimize);
	assert_true(args.has_debug);
	assert_int_equal(arg(3)->role, CC_COMPILE);
	assert_null(arg(3)->next);
	assert_string_equal(arg(4)->next, "include2");
	assert_int_equal(arg(6)->role, CC_LIBRARY);
	assert_int_equal(arg(7)->role, CC_LINK);
	assert_int_equal(arg(8)->role, CC_BOTH);
	assert_int_equal(arg(9)->language, CC_SOURCE);
	assert_int_equal(arg(10)->language, CC_OBJECT);
}

static void test_no_false_friends(void **state)
{
	assert_true(parse("-gz -grecord-gcc-switches -Wl,-g -specs=x -staticky -MP x.c"));
	assert_false(args.has_debug);
	assert_false(args.is_static);
	assert_false(args.has_dependencies);
	assert_true(parse("-ofile.c x.o"));
	assert_string_equal(args.output, "file.c");
	assert_int_equal(args.sources, 0);
}

static void test_languages(void **state)
{
	assert_true(parse("-x c++ a.h - -x none a.h x.i y.S lib.so.1 z.C"));
	assert_int_equal(arg(1)->language, CC_SOURCE);
	assert_int_equal(arg(2)->language, CC_SOURCE);
	assert_string_equal(arg(2)->forced, "c++");
	assert_int_equal(arg(4)->language, CC_HEADER);
	assert_null(arg(4)->forced);
	assert_int_equal(arg(5)->language, CC_SOURCE);
	assert_string_equal(arg(5)->reread, "c");
	assert_int_equal(arg(6)->language, CC_ASSEMBLER);
	assert_int_equal(arg(7)->language, CC_OBJECT);
	assert_int_equal(arg(8)->language, CC_SOURCE);
}

static void test_stops(void **state)
{
	assert_true(parse("-c -E a.c"));
	assert_int_equal(args.stop, CC_STOP_PREPROCESSED);
	assert_true(parse("-S -c a.c"));
	assert_int_equal(args.stop, CC_STOP_ASSEMBLY);
	assert_true(parse("a.c -static-pie -shared -r"));
	assert_int_equal(args.stop, CC_BOTH);
	assert_true(args.is_static && args.is_shared && args.is_relocatable);
}

static void test_sanitizers(void **state)
{
	assert_true(parse("-fsanitize=thread a.c"));
	assert_int_equal(arg(0)->role, CC_DROPPED);
	assert_true(parse("-fsanitize=undefined,thread,bounds a.c"));
	assert_string_equal(arg(0)->text, "-fsanitize=undefined,bounds");
	assert_true(parse("-fno-sanitize=thread a.c"));
	assert_true(args.is_uninstrumented);
	assert_false(parse("-fsanitize=undefined,address a.c"));
	assert_string_equal(err.message, "-fsanitize=address cannot be combined with fermata");
}

static void test_response_files(void **state)
{
	char path[] = "/tmp/fermata-rsp.XXXXXX", line[64];
	static const char contents[] = "-c 'a b.c'\n  \"-DX=\\\"q\\\"\" c\\ d.c\n";
	int fd = mkstemp(path);

	assert_int_equal(write(fd, contents, sizeof(contents) - 1), sizeof(contents) - 1);
	close(fd);
	snprintf(line, sizeof(line), "@%s -O", path);
	assert_true(parse(line));
	assert_int_equal(args.args.len, 5);
	assert_string_equal(arg(1)->text, "a b.c");
	assert_string_equal(arg(2)->text, "-DX=\"q\"");
	assert_string_equal(arg(3)->text, "c d.c");
	fd = open(path, O_WRONLY | O_TRUNC);
	assert_int_equal(write(fd, line, strlen(line)), (ssize_t)strlen(line));
	close(fd);
	assert_false(parse(line));
	assert_non_null(strstr(err.message, "include each other"));
	unlink(path);
	assert_true(parse("@no-such-file.c"));
	assert_int_equal(args.inputs, 1);
}

/* An option at the very end whose argument is missing: the compiler will complain, not we. */
static void test_missing_argument(void **state)
{
	assert_true(parse("a.c -o"));
	assert_string_equal(args.output, "");
	assert_true(parse("a.c -Xlinker"));
	assert_null(arg(1)->next);
}

static int tear_down(void **state)
{
	cc_args_release(&args);
	arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_roles),      cmocka_unit_test(test_no_false_friends),
		cmocka_unit_test(test_languages),  cmocka_unit_test(test_stops),
		cmocka_unit_test(test_sanitizers), cmocka_unit_test(test_response_files),
		cmocka_unit_test(test_missing_argument),
	};

	return cmocka_run_group_tests(tests, NULL, tear_down);
}
