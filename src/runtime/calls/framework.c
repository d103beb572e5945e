/* framework.c: one test of a program that cannot be asked for one.
 *
 * `fermata test --check` and `--cmocka` explore each test on its own. Check and cmocka have no option
 * for that (other frameworks do), so the wrapper links their function that takes a test through
 * here. FERMATA_CASE in the environment names the test to take; with FERMATA_CASE=? all tests are
 * listed and none is taken; without it nothing changes.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/rt_sys.h"

enum { NAME_ROOM = 512 };

static void put(char *out, size_t *len, const char *text)
{
	while (*text && *len < NAME_ROOM - 2)
		out[(*len)++] = *text++;
	out[*len] = '\0';
}

/* Is "group.name" the test that shall run? Lists it if all shall be listed. */
static int is_chosen(const char *wanted, const char *group, const char *name)
{
	char text[NAME_ROOM];
	size_t len = 0;

	put(text, &len, group ? group : "");
	put(text, &len, group && *group ? "." : "");
	put(text, &len, name ? name : "?");
	if (strcmp(wanted, "?") != 0)
		return strcmp(wanted, text) == 0;
	text[len++] = '\n';
	rt_syscall(SYS_write, 1, (long)"fermata-case: ", 14);
	rt_syscall(SYS_write, 1, (long)text, (long)len);
	return 0;
}

/* ---- Check, from 0.15 on ---- */

struct check_test {
	const char *name;
	void (*function)(int);
	const char *file;
	int line;
};

struct check_case {
	const char *name;
};

__attribute__((weak)) void __real__tcase_add_test(struct check_case *, const struct check_test *,
						  int signal, int status, int start, int end);
__attribute__((visibility("default"))) void
__wrap__tcase_add_test(struct check_case *, const struct check_test *, int, int, int, int);

void __wrap__tcase_add_test(struct check_case *group, const struct check_test *test, int signal,
			    int status, int start, int end)
{
	const char *wanted = getenv("FERMATA_CASE");

	if (!wanted || is_chosen(wanted, group->name, test->name))
		__real__tcase_add_test(group, test, signal, status, start, end);
}

/* ---- cmocka ---- */

struct cmocka_test {
	const char *name;
	void (*test)(void **);
	int (*setup)(void **), (*teardown)(void **);
	void *state;
};

__attribute__((weak)) int __real__cmocka_run_group_tests(const char *, const struct cmocka_test *,
							 size_t, int (*)(void **),
							 int (*)(void **));
__attribute__((visibility("default"))) int
__wrap__cmocka_run_group_tests(const char *, const struct cmocka_test *, size_t, int (*)(void **),
			       int (*)(void **));

int __wrap__cmocka_run_group_tests(const char *group, const struct cmocka_test *tests, size_t len,
				   int (*setup)(void **), int (*teardown)(void **))
{
	const char *wanted = getenv("FERMATA_CASE");

	if (!wanted)
		return __real__cmocka_run_group_tests(group, tests, len, setup, teardown);
	for (size_t i = 0; i < len; i++)
		if (is_chosen(wanted, group, tests[i].name))
			return __real__cmocka_run_group_tests(group, &tests[i], 1, setup, teardown);
	return 0;
}
