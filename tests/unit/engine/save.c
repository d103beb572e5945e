/* A finding written and read back is the same; a damaged file is refused with one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "explore/save.h"

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

	if (!save_finding(folder, saved, path, &err))
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

	assert_false(save_finding("/proc/no/such", &saved, out, &err));
	assert_non_null(strstr(err.message, "cannot create the folder"));
	json_decref((json_t *)saved.setup);
	json_decref((json_t *)saved.words);
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
		cmocka_unit_test(test_folder),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
