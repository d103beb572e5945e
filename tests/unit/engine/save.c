/* A finding written and read back is the same; a damaged file is refused with one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "explore/save.h"
#include "explore/save_name.h"

static char folder[] = "/tmp/fermata-save.XXXXXX";
static char path[4096];

static const struct decision decisions[] = {
	{.actor = 0, .ordinal = 0, .kind = EVENT_CREATE, .object = 0},
	{.actor = 3, .ordinal = 41, .kind = EVENT_LOCK, .object = 0xfedcba9876543210},
	{.actor = 65535, .ordinal = 2, .kind = EVENT_UNIQUE, .object = 1},
};

static struct saved make_saved(void)
{
	return (struct saved){
		.target = "native", .knowledge = "actor 1\n\"quoted\" \\ ü\n", .kind = "deadlock",
		.fingerprint = 0x00000000deadbeef, .decisions = (struct decision *)decisions,
		.decisions_len = 3, .setup = json_pack("{s:s}", "program", "./a.out"),
		.words = json_pack("{s:s}", "message", "waits"),
	};
}

static void save(struct saved *saved)
{
	struct err err = {0};

	if (!save_finding(folder, saved, NULL, path, &err))
		fail_msg("%s", err.message);
	json_decref((json_t *)saved->setup);
	json_decref((json_t *)saved->words);
}

static void same_decisions(const struct decision *a, const struct decision *b, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		assert_int_equal(a[i].actor, b[i].actor);
		assert_int_equal(a[i].ordinal, b[i].ordinal);
		assert_int_equal(a[i].kind, b[i].kind);
		assert_int_equal(a[i].object, b[i].object);
	}
}

static void test_round_trip(void **state)
{
	struct saved saved = make_saved(), loaded;
	struct err err = {0};

	save(&saved);
	assert_string_equal(strrchr(path, '/'), "/deadlock-00000000dead");
	assert_true(save_load(path, &loaded, &err));
	assert_string_equal(loaded.target, "native");
	assert_string_equal(loaded.kind, "deadlock");
	assert_string_equal(loaded.knowledge, saved.knowledge);
	assert_int_equal(loaded.fingerprint, 0xdeadbeef);
	assert_int_equal(loaded.decisions_len, 3);
	same_decisions(loaded.decisions, decisions, 3);
	assert_null(loaded.other);
	assert_string_equal(json_string_value(json_object_get(loaded.setup, "program")), "./a.out");
	assert_string_equal(json_string_value(json_object_get(loaded.words, "message")), "waits");
	saved_release(&loaded);
	assert_null(loaded.root);
}

static void test_two_schedules(void **state)
{
	struct saved saved = make_saved(), loaded;

	saved.other = (struct decision *)decisions + 1;
	saved.other_len = 2;
	save(&saved);
	assert_true(save_load(path, &loaded, NULL));
	assert_int_equal(loaded.other_len, 2);
	same_decisions(loaded.other, decisions + 1, 2);
	saved_release(&loaded);
}

static void refused(const char *words)
{
	struct saved loaded;
	struct err err = {0};

	assert_false(save_load(path, &loaded, &err));
	if (!strstr(err.message, words) || strchr(err.message, '\n'))
		fail_msg("\"%s\" does not say \"%s\" in one line", err.message, words);
	saved_release(&loaded);
}

/* The file with a member replaced. */
static void put(const char *member, json_t *value)
{
	json_t *root = json_load_file(path, 0, NULL);

	json_object_set_new(root, member, value);
	assert_int_equal(json_dump_file(root, path, 0), 0);
	json_decref(root);
}

static void test_damaged(void **state)
{
	static const struct {
		const char *member, *json, *words;
	} damages[] = {
		{"format", "2", "has format 2; this version reads format 1"},
		{"fermata", "\"report\"", "is not a finding of fermata"},
		{"schedule", "7", "is damaged"},
		{"schedule", "[[0,0,\"no-such-step\",\"0\"]]", "is damaged"},
		{"schedule", "[[-1,0,\"lock\",\"0\"]]", "is damaged"},
		{"schedule", "[[70000,0,\"lock\",\"0\"]]", "is damaged"},
		{"schedule", "[[0,0,\"lock\"]]", "is damaged"},
		{"schedule", "[[0,0,\"lock\",\"0\",1]]", "is damaged"},
		{"schedule", "[[0,0,\"lock\",\"xyz\"]]", "is damaged"},
		{"other_schedule", "[1]", "is damaged"},
		{"fingerprint", "\"\"", "is damaged"},
		{"target", "null", "is damaged"},
	};

	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct saved saved = make_saved();

		save(&saved);
		put(damages[i].member, json_loads(damages[i].json, JSON_DECODE_ANY, NULL));
		refused(damages[i].words);
	}
}

/* Cut at any length: refused, never read as something else. */
static void test_cut(void **state)
{
	struct saved saved = make_saved();
	char text[4096];
	size_t len;
	FILE *file;

	save(&saved);
	file = fopen(path, "r");
	len = fread(text, 1, sizeof(text), file);
	fclose(file);
	assert_in_range(len, 100, sizeof(text) - 1);
	for (size_t keep = 0; keep + 1 < len; keep += 7) {
		file = fopen(path, "w");
		fwrite(text, 1, keep, file);
		fclose(file);
		refused("is not a finding");
	}
	unlink(path);
	refused("cannot read");
}

static void test_folder(void **state)
{
	struct saved saved = make_saved();
	struct err err = {0};
	char out[4096];

	assert_false(save_finding("/proc/no/such", &saved, NULL, out, &err));
	assert_non_null(strstr(err.message, "cannot create the folder"));
	json_decref((json_t *)saved.setup);
	json_decref((json_t *)saved.words);
}

/* Saves a finding that differs from make_saved() in these; returns the end of its name. */
static const char *save_as(const char *program, const char *build_id, int line,
			   const struct save_taken *taken)
{
	struct saved saved = make_saved();
	struct err err = {0};

	json_decref((json_t *)saved.setup);
	json_decref((json_t *)saved.words);
	saved.kind = "assertion";
	saved.match = 0xabc;
	saved.setup = json_pack("{s:s, s:s}", "program", program, "build_id", build_id);
	saved.words = json_pack("{s:[{s:i}]}", "sites", "line", line);
	if (!save_finding(folder, &saved, taken, path, &err))
		fail_msg("%s", err.message);
	json_decref((json_t *)saved.setup);
	json_decref((json_t *)saved.words);
	return strrchr(path, '/') + strlen("/assertion-00000000dead");
}

static void test_other_findings_are_not_replaced(void **state)
{
	const char *first, *taken_paths[1];
	struct save_taken taken = {taken_paths, 1};

	assert_string_equal(save_as("/bin/sh", "1", 10, NULL), "");
	taken_paths[0] = first = strdup(path);
	assert_string_equal(save_as("/bin/sh", "1", 10, NULL), "");   /* found again */
	assert_string_equal(save_as("/bin/sh", "2", 20, NULL), "");   /* lines have moved */
	assert_string_equal(save_as("/bin/sh", "2", 21, NULL), "-2"); /* another place */
	assert_string_equal(save_as("/bin/sh", "2", 21, NULL), "-2");
	assert_string_equal(save_as("/bin/ls", "2", 20, NULL), "-3"); /* another program */
	assert_string_equal(save_as("/bin/ls", "3", 20, &taken), "-3");
	assert_string_equal(save_as("/bin/sh", "4", 20, &taken), "-2"); /* another build, and taken */
	assert_string_equal(save_as("/no/sh", "2", 20, NULL), "-4"); /* another program, too */
	unlink(first);
	for (int n = 2; n < 5; n++) {
		snprintf(path, sizeof(path), "%s-%d", first, n);
		unlink(path);
	}
	free((char *)first);
}

static void test_names(void **state)
{
	assert_true(save_is_name("race-26c8c1c9c9c7"));
	assert_true(save_is_name("not-linearizable-26c8c1c9c9c7-12"));
	assert_false(save_is_name("race-26c8c1c9c9c7.c"));
	assert_false(save_is_name("race-26c8"));
	assert_false(save_is_name("trace-26c8c1c9c9c7"));
}

/* A pipe that nobody writes to would block a reader for ever. */
static void test_not_a_file(void **state)
{
	snprintf(path, sizeof(path), "%s/race-26c8c1c9c9c7", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_true(save_is_meant(path));
	refused("is not a regular file");
	unlink(path);
	assert_int_equal(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
	assert_true(save_is_meant(path));
	refused("it is empty");
	unlink(path);
}

static int make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_two_schedules),
		cmocka_unit_test(test_damaged),    cmocka_unit_test(test_cut),
		cmocka_unit_test(test_folder),     cmocka_unit_test(test_names),
		cmocka_unit_test(test_other_findings_are_not_replaced),
		cmocka_unit_test(test_not_a_file),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
