/* Addresses of fleets: each part of a valid one, and texts that are refused. And seals: a text of one
 * place is not accepted in another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fleet/job.h"
#include "fleet/url.h"

static void expect(const char *text, const char *user, const char *password, const char *host,
		   int port, const char *name)
{
	struct fleet_url url;
	struct err err = {0};

	assert_true(fleet_url_parse(&url, text, &err));
	assert_string_equal(url.user, user);
	assert_string_equal(url.password, password);
	assert_string_equal(url.host, host);
	assert_int_equal(url.port, port);
	assert_string_equal(url.name, name);
	assert_true(!password[0] || !strstr(url.shown, password));
}

static void test_valid(void **state)
{
	expect("redis://host/n", "", "", "host", 6379, "n");
	expect("redis://10.0.0.1:7000/a.b-c_1", "", "", "10.0.0.1", 7000, "a.b-c_1");
	expect("redis://anna:p%40ss%3a@host/n", "anna", "p@ss:", "host", 6379, "n");
	expect("redis://:secret@host:1/n", "", "secret", "host", 1, "n");
	expect("redis://secret@host/n", "", "secret", "host", 6379, "n");
	expect("redis://a:b@c@host/n", "a", "b@c", "host", 6379, "n");
	expect("redis://[::1]:7000/n", "", "", "::1", 7000, "n");
	expect("redis://[fe80::2]/n", "", "", "fe80::2", 6379, "n");
}

static void test_refused(void **state)
{
	static const char *const texts[] = {
		"", "host/n", "http://host/n", "rediss://host/n", "redis://host", "redis://host/",
		"redis://host/a/b", "redis://host/a b", "redis:///n", "redis://host:/n",
		"redis://host:0/n", "redis://host:65536/n", "redis://host:12x/n", "redis://[::1/n",
		"redis://[::1]7000/n", "redis://a:%4@host/n", "redis://a:%zz@host/n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fleet_url url;
		struct err err = {0};

		assert_false(fleet_url_parse(&url, texts[i], &err));
		assert_true(err.message[0]);
	}
}

/* Each thing that is sealed changes the seal. */
static void test_seals(void **state)
{
	struct secret secret = {.bytes = "sixteen letters!", .len = 16}, other = secret;
	struct job job = {.id = "1", .epoch = 1}, next = job;
	struct bytes_in text = {.at = "text", .len = 4}, less = {.at = "text", .len = 3};
	char seals[7][SEAL_HEX + 1];

	other.bytes[0] = 'S';
	next.epoch = 2;
	job_seal_part(&secret, &job, "a", text, seals[0]);
	job_seal_part(&secret, &job, "b", text, seals[1]);
	job_seal_part(&secret, &job, "a", less, seals[2]);
	job_seal_part(&secret, &next, "a", text, seals[3]);
	job_seal_part(&other, &job, "a", text, seals[4]);
	job_seal_answer(&secret, &job, "a", text, seals[5]);
	strbuf_adds(&job.record, "{}");
	job_seal_part(&secret, &job, "a", text, seals[6]);
	for (int i = 0; i < 7; i++)
		for (int j = 0; j < 7; j++)
			assert_int_equal(seal_is_equal(seals[i], seals[j]), i == j);
	assert_false(seal_is_equal("", ""));
	job_release(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_valid),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_seals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
