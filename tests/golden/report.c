/* Golden tests: every form of a report, from fixed structs, byte for byte.
 *
 * The expected texts are in the folder named by the environment variable GOLDEN_DIR; with
 * GOLDEN_UPDATE=1 they are written instead of compared (then read the diff). The version of
 * the tool is written as VERSION, so that a release does not change them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"
#include "report/page.h"

static void read_file(const char *path, struct strbuf *out)
{
	char chunk[4096];
	size_t got;
	FILE *file = fopen(path, "r");

	if (!file)
		return;
	while ((got = fread(chunk, 1, sizeof(chunk), file)) > 0)
		strbuf_add(out, chunk, got);
	fclose(file);
}

static void hide_version(const struct strbuf *text, struct strbuf *out)
{
	static const char *const before[] = {"\"version\": \"", "\"version\":\"", "<!-- fermata "};
	const char *at = strbuf_text(text), *found;

	while ((found = strstr(at, FERMATA_VERSION)) != NULL) {
		bool is_version = false;

		for (size_t i = 0; i < 3; i++) {
			size_t len = strlen(before[i]);

			is_version |= (size_t)(found - strbuf_text(text)) >= len &&
				      strncmp(found - len, before[i], len) == 0;
		}
		strbuf_add(out, at, (size_t)(found - at));
		strbuf_adds(out, is_version ? "VERSION" : FERMATA_VERSION);
		at = found + strlen(FERMATA_VERSION);
	}
	strbuf_adds(out, at);
}

static void expect(const char *name, struct strbuf *text)
{
	const char *dir = getenv("GOLDEN_DIR");
	struct strbuf path = {0}, expected = {0}, actual = {0};

	strbuf_addf(&path, "%s/%s", dir ? dir : ".", name);
	hide_version(text, &actual);
	if (getenv("GOLDEN_UPDATE")) {
		FILE *file = fopen(strbuf_text(&path), "w");

		assert_non_null(file);
		fwrite(strbuf_text(&actual), 1, actual.len, file);
		fclose(file);
	}
	read_file(strbuf_text(&path), &expected);
	assert_string_equal(strbuf_text(&expected), strbuf_text(&actual));
	strbuf_release(&path);
	strbuf_release(&expected);
	strbuf_release(&actual);
	strbuf_release(text);
}

static void test_text(void **state)
{
	struct strbuf out = {0};

	report_text(fixture_bugs(), NULL, &out);
	expect("bugs.txt", &out);
	report_text(fixture_bugs(), &(struct report_style){.colour = true, .width = 80}, &out);
	expect("bugs-colour.txt", &out);
	report_text(fixture_proved(), NULL, &out);
	report_text(fixture_no_bug(), NULL, &out);
	report_text(fixture_lost(), NULL, &out);
	expect("verdicts.txt", &out);
}

static void test_text_fits(void **state)
{
	struct report_frame frames[] = {
		{"std::__shared_ptr<Settings, (__gnu_cxx::_Lock_policy)2>::__shared_ptr<std::allocator<void>>",
		 "/usr/include/c++/12/bits/shared_ptr_base.h", 1522},
		{"service<std::vector<std::string>, std::map<std::string, settings>>::reload_settings",
		 "service.cpp", 31},
	};

	for (uint32_t width = 40; width <= 240; width += 20) {
		struct strbuf out = {0};
		struct report_finding race = fixture_bugs()->findings[0];
		struct report_site site = race.sites[0];

		site.frames = frames;
		site.frames_len = 2;
		site.locks_len = 0;
		race.sites = &site;
		race.sites_len = width >= 60; /* a narrower one has no room for places */
		report_finding_text(&race, &(struct report_style){.width = width}, &out);
		for (char *line = strtok(out.text, "\n"); line; line = strtok(NULL, "\n")) {
			size_t columns = 0;

			for (const char *at = line; *at; at++)
				columns += ((unsigned char)*at & 0xc0) != 0x80;
			if (!strstr(line, "Replay: ") && !strstr(line, "      > "))
				assert_in_range(columns, 0, width);
		}
		strbuf_release(&out);
	}
}

static void test_json(void **state)
{
	struct strbuf out = {0};
	struct report *report = fixture_bugs();
	json_t *coverage = json_pack("{s:i,s:i}", "pairs", 12, "covered", 7);
	json_t *outcomes = json_pack("[{s:s,s:s,s:i}]", "end", "done", "output", "1\n", "count", 3);

	report->coverage = coverage;
	report->outcomes = outcomes;
	report_json(report, &out);
	expect("bugs.json", &out);
	json_decref(coverage);
	json_decref(outcomes);
	report_json(fixture_proved(), &out);
	expect("proved.json", &out);
}

static void test_sarif(void **state)
{
	struct strbuf out = {0};

	report_sarif(fixture_bugs(), &out);
	expect("bugs.sarif", &out);
}

static void test_junit(void **state)
{
	struct strbuf out = {0};

	report_junit(fixture_bugs(), &out);
	expect("bugs.junit.xml", &out);
	report_junit(fixture_proved(), &out);
	expect("proved.junit.xml", &out);
	report_junit(fixture_lost(), &out);
	expect("lost.junit.xml", &out);
}

/* Puts a word for a file of the page, which has tests of its own (tests/explain/page). */
static void hide_file(struct strbuf *page, const char *file, const char *word)
{
	const char *at = strstr(strbuf_text(page), file);
	struct strbuf hidden = {0};

	assert_non_null(at);
	strbuf_add(&hidden, strbuf_text(page), (size_t)(at - strbuf_text(page)));
	strbuf_adds(&hidden, word);
	strbuf_adds(&hidden, at + strlen(file));
	strbuf_release(page);
	*page = hidden;
}

static void test_html(void **state)
{
	struct strbuf out = {0};

	report_html(fixture_bugs(), &out);
	hide_file(&out, page_css, "STYLE\n");
	hide_file(&out, plots_js, "");
	hide_file(&out, state_js, "");
	hide_file(&out, turns_js, "");
	hide_file(&out, page_js, "SCRIPT\n");
	expect("bugs.html", &out);
}

/* Names that are not UTF-8 must not make JSON disappear. */
static void test_stray_bytes(void **state)
{
	struct strbuf out = {0};
	struct report *report = fixture_proved();
	json_t *parsed;

	report->program = "./na\377me";
	report_json(report, &out);
	parsed = json_loads(strbuf_text(&out), 0, NULL);
	assert_non_null(parsed);
	assert_string_equal(json_string_value(json_object_get(parsed, "program")), "./na?me");
	json_decref(parsed);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),   cmocka_unit_test(test_text_fits),
		cmocka_unit_test(test_json),   cmocka_unit_test(test_sarif),
		cmocka_unit_test(test_junit),  cmocka_unit_test(test_html),
		cmocka_unit_test(test_stray_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
