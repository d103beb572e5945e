/* file_write: the whole new content or the old one, whatever goes wrong, and nothing else left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char folder[] = "/tmp/fermata-file.XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[4][256];
	static unsigned turn;
	char *out = path[turn++ % 4];

	snprintf(out, 256, "%s/%s", folder, name);
	return out;
}

static const char *content_of(const char *path)
{
	static char text[4096];
	FILE *file = fopen(path, "r");
	size_t len;

	assert_non_null(file);
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	return text;
}

static int count_entries(void)
{
	DIR *dir = opendir(folder);
	int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2; /* . and .. */
}

static bool write_text(const char *path, const char *text, struct err *err)
{
	return file_write(path, text, strlen(text), err);
}

static void test_creates_and_replaces(void **state)
{
	const char *path = in_folder("a");
	struct err err = {0};

	assert_true(write_text(path, "one", &err));
	assert_string_equal(content_of(path), "one");
	assert_true(write_text(path, "second", &err));
	assert_string_equal(content_of(path), "second");
	assert_int_equal(count_entries(), 1);
	unlink(path);
}

static void test_follows_links(void **state)
{
	const char *path = in_folder("real"), *link_path = in_folder("link");
	struct err err = {0};
	struct stat status;

	assert_true(write_text(path, "old", &err));
	assert_int_equal(symlink(path, link_path), 0);
	assert_true(write_text(link_path, "new", &err));
	assert_string_equal(content_of(path), "new");
	assert_int_equal(lstat(link_path, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	unlink(path);
	unlink(link_path);
}

static void test_full_device(void **state)
{
	struct err err = {0};

	assert_false(write_text("/dev/full", "text", &err));
	assert_non_null(strstr(err.message, "cannot write /dev/full"));
	assert_true(write_text("/dev/null", "text", &err));
}

static void test_missing_folder(void **state)
{
	struct err err = {0};

	assert_false(write_text(in_folder("no/such"), "text", &err));
	assert_false(file_check_writable(in_folder("no/such"), &err));
	assert_false(file_check_writable(folder, &err));
	assert_true(file_check_writable(in_folder("new"), &err));
	assert_int_equal(count_entries(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_creates_and_replaces),
		cmocka_unit_test(test_follows_links),
		cmocka_unit_test(test_full_device),
		cmocka_unit_test(test_missing_folder),
	};
	int failed;

	if (!mkdtemp(folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
