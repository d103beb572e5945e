#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "native/elf.h"

static char folder[] = "/tmp/fermata-elf.XXXXXX";

static const char *write_file(const char *name, const void *bytes, size_t len, mode_t mode)
{
	static char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fwrite(bytes, 1, len, file);
	fclose(file);
	chmod(path, mode);
	return path;
}

static void expect_error(const char *path, enum err_kind kind, const char *message)
{
	struct elf_program program;
	struct err err = {0};

	assert_false(elf_program_check(&program, path, &err));
	assert_int_equal(err.kind, kind);
	if (!strstr(err.message, message))
		fail_msg("\"%s\" is not in \"%s\"", message, err.message);
	assert_null(strchr(err.message, '\n'));
	elf_program_release(&program);
}

static void test_bad_input(void **state)
{
	static const char script[] = "#!/bin/sh\nexit 0\n";

	expect_error("/nonexistent/program", ERR_INPUT, "no such program");
	expect_error(folder, ERR_INPUT, "a folder");
	expect_error("/dev/null", ERR_INPUT, "not a regular file");
	expect_error(write_file("script", script, sizeof(script) - 1, 0755), ERR_INPUT,
		     "a script");
	expect_error(write_file("plain", "hello", 5, 0644), ERR_INPUT, "not executable");
	expect_error(write_file("text", "hello", 5, 0755), ERR_INPUT, "not an ELF");
	expect_error(write_file("empty", "", 0, 0755), ERR_INPUT, "not an ELF");
	expect_error(write_file("short", "\177ELF\2\1\1", 7, 0755), ERR_INPUT, "ELF");
}

/* Every prefix of a program and every byte of its head changed: an answer, never a crash. */
static void test_damaged(void **state)
{
	char bytes[2048];
	FILE *file = fopen("/proc/self/exe", "r");
	size_t len = fread(bytes, 1, sizeof(bytes), file);

	fclose(file);
	for (size_t i = 0; i < len; i += 7) {
		struct elf_program program;

		elf_program_check(&program, write_file("cut", bytes, i, 0755), NULL);
		elf_program_release(&program);
	}
	for (size_t i = 4; i < 1024; i++) {
		struct elf_program program;
		char kept = bytes[i];

		bytes[i] = (char)~kept;
		elf_program_check(&program, write_file("bent", bytes, len, 0755), NULL);
		bytes[i] = kept;
		elf_program_release(&program);
	}
}

static void test_ordinary_program(void **state)
{
	struct elf_program program;
	struct err err = {0};
	struct strbuf foreign = {0};

	assert_true(elf_program_check(&program, "/proc/self/exe", &err));
	assert_false(program.is_static);
	assert_false(program.is_library);
	assert_false(program.is_instrumented);
	assert_false(program.has_runtime);
	assert_int_equal(program.foreign.len, 0);
	elf_program_release(&program);
	elf_add_foreign_code("/proc/self/exe", &foreign);
	elf_add_foreign_code("/lib/x86_64-linux-gnu/libc.so.6", &foreign);
	assert_string_equal(strbuf_text(&foreign), "exe");
	strbuf_release(&foreign);
}

static void test_find(void **state)
{
	struct strbuf path = {0};
	struct err err = {0};

	assert_true(elf_find_program("./x/y", &path, &err));
	assert_string_equal(strbuf_text(&path), "./x/y");
	strbuf_clear(&path);
	assert_true(elf_find_program("sh", &path, &err));
	assert_non_null(strstr(strbuf_text(&path), "/sh"));
	assert_false(elf_find_program("surely-no-such-command", &path, &err));
	assert_string_equal(err.message, "surely-no-such-command: no such program");
	write_file("here", "x", 1, 0755);
	assert_int_equal(chdir(folder), 0);
	assert_false(elf_find_program("here", &path, &err));
	assert_non_null(strstr(err.message, "./here"));
	strbuf_release(&path);
}

static int set_up(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	static const char *const names[] = {"script", "plain", "text", "empty", "short",
					    "cut", "bent", "here"};
	char path[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_input),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_ordinary_program),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
