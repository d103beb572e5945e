/* file_write: the whole new content or the old one, whatever goes wrong, and nothing else left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char folder[] = "/tmp/fermata-file.XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[16][256];
	static unsigned turn;
	char *out = path[turn++ % 16];

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

static void test_same_content_is_left_alone(void **state)
{
	const char *path = in_folder("same");
	struct stat before, after;
	struct err err = {0};

	assert_true(write_text(path, "text", &err));
	assert_int_equal(stat(path, &before), 0);
	assert_true(write_text(path, "text", &err));
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_true(write_text(path, "t3xt", &err));
	assert_int_equal(stat(path, &after), 0);
	assert_int_not_equal(before.st_ino, after.st_ino);
	unlink(path);
}

/* As a writer leaves it that was killed between linkat() and rename(). */
static void test_removes_temporaries_of_dead_writers(void **state)
{
	static const char *const kept[] = {".old.fermata-12x", ".old.fermata-", "old.fermata-12",
					   ".fermata"};
	const char *stale = in_folder(".old.fermata-12"), *held = in_folder(".new.fermata-34");
	int fd = open(held, O_CREAT | O_WRONLY, 0600);
	struct err err = {0};

	assert_int_equal(close(open(stale, O_CREAT | O_WRONLY, 0600)), 0);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(close(open(in_folder(kept[i]), O_CREAT | O_WRONLY, 0600)), 0);
	assert_true(write_text(in_folder("new"), "text", &err));
	assert_int_not_equal(access(stale, F_OK), 0);
	assert_int_equal(access(held, F_OK), 0);
	assert_int_equal(count_entries(), 6);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(unlink(in_folder(kept[i])), 0);
	close(fd);
	assert_true(write_text(in_folder("new"), "other text", &err));
	assert_int_equal(count_entries(), 1);
	unlink(in_folder("new"));
}

static void test_reads_regular_files_only(void **state)
{
	struct strbuf text = {0};
	struct err err = {0};

	assert_true(write_text(in_folder("file"), "a\nb", &err));
	assert_true(file_read(in_folder("file"), &text, &err));
	assert_string_equal(strbuf_text(&text), "a\nb");
	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	assert_false(file_read(in_folder("pipe"), &text, &err));
	assert_non_null(strstr(err.message, "pipe: it is not a regular file"));
	assert_false(file_read(folder, &text, &err));
	assert_false(file_read(in_folder("none"), &text, &err));
	assert_non_null(strstr(err.message, "No such file"));
	strbuf_release(&text);
	unlink(in_folder("file"));
	unlink(in_folder("pipe"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_content_is_left_alone),
		cmocka_unit_test(test_removes_temporaries_of_dead_writers),
		cmocka_unit_test(test_reads_regular_files_only),
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
