#include "cli/search/forms.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/exits.h"
#include "cli/search/output.h"
#include "report/html_suite.h"

enum { FORMS = 4 };

/* The path of each form, or NULL. */
struct asked {
	const char *option, *path;
	void (*write)(const struct report *report, struct strbuf *out);
};

/* The page shows the source around the steps. */
static void write_html(const struct report *report, struct strbuf *out)
{
	struct report shown = *report;
	json_t *excerpts = report_excerpts(report, NULL);

	shown.excerpts = excerpts;
	report_html(&shown, out);
	json_decref(excerpts);
}

static void list_asked(const struct test_options *o, struct asked asked[FORMS])
{
	asked[0] = (struct asked){"--json", o->json, report_json};
	asked[1] = (struct asked){"--junit", o->junit, report_junit};
	asked[2] = (struct asked){"--sarif", o->sarif, report_sarif};
	asked[3] = (struct asked){"--html", o->html, write_html};
}

static bool is_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static bool is_folder(const char *path)
{
	size_t len = strlen(path);
	struct stat status;

	return (len && path[len - 1] == '/') || (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

/* A folder that is there must be writable; one that is not there must have such a parent. */
static bool check_folder(const char *path, struct err *err)
{
	char name[4096];
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	snprintf(name, sizeof(name), "%.*s", (int)len, path);
	if (access(name, F_OK) != 0)
		return file_check_writable(name, err);
	snprintf(name, sizeof(name), "%.*s/index.html", (int)len, path);
	return file_check_writable(name, err);
}

bool forms_check(const struct test_options *options, struct err *err)
{
	const char *first = NULL;
	struct asked asked[FORMS];

	list_asked(options, asked);
	for (size_t i = 0; i < FORMS; i++) {
		const char *path = asked[i].path;

		if (!path)
			continue;
		if (is_stdout(path) && first)
			return err_set(err, "%s and %s cannot both go to stdout", first,
				       asked[i].option);
		if (is_stdout(path))
			first = asked[i].option;
		else if (path == options->html && is_folder(path) ? !check_folder(path, err)
								  : !file_check_writable(path, err))
			return false;
	}
	return !options->stats || file_check_writable(options->stats, err);
}

bool forms_are_asked(const struct test_options *o)
{
	return o->json || o->junit || o->sarif || o->html;
}

bool forms_have_stdout(const struct test_options *o)
{
	return is_stdout(o->json) || is_stdout(o->junit) || is_stdout(o->sarif) ||
	       is_stdout(o->html);
}

/* ---- writing ---- */

static bool write_page(const char *folder, const char *name, struct strbuf *text, struct err *err)
{
	struct strbuf path = {0};
	bool ok;

	strbuf_addf(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
	ok = output_write(strbuf_text(&path), text, err);
	strbuf_release(&path);
	strbuf_clear(text);
	return ok;
}

/* index.html; of a suite it has a table of all tests, with a page for each that has a finding. */
static bool write_folder(const struct report *report, const char *folder, struct err *err)
{
	struct report start = *report;
	struct strbuf text = {0};
	struct arena arena = {0};
	bool ok = true;

	if (mkdir(folder, 0777) != 0 && access(folder, W_OK) != 0)
		return err_set_errno(err, "cannot create the folder %s", folder);
	for (size_t i = 0; ok && i < json_array_size(report->tests); i++) {
		const json_t *test = json_array_get(report->tests, i);
		struct report one;
		char name[32];

		if (!html_suite_page_name(test, i, name))
			continue;
		report_parse(test, &arena, &one);
		write_html(&one, &text);
		ok = write_page(folder, name, &text, err);
	}
	start.has_pages = report->tests != NULL;
	write_html(&start, &text);
	ok = ok && write_page(folder, "index.html", &text, err);
	strbuf_release(&text);
	arena_release(&arena);
	return ok;
}

int forms_write(const struct report *report, const struct test_options *options, int status)
{
	struct report placed = *report;
	struct asked asked[FORMS];
	char root[4096];

	placed.root = getcwd(root, sizeof(root)) ? root : NULL;
	list_asked(options, asked);
	for (size_t i = 0; i < FORMS; i++) {
		const char *path = asked[i].path;
		struct strbuf text = {0};
		struct err err = {0};
		bool ok = true;

		if (path && path == options->html && !is_stdout(path) && is_folder(path)) {
			ok = write_folder(&placed, path, &err);
		} else if (path) {
			asked[i].write(&placed, &text);
			ok = output_write(path, &text, &err);
		}
		if (!ok)
			status = exits_fail_after(status, &err);
		strbuf_release(&text);
	}
	return status;
}
