#include "cli/html_dir.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cli/output.h"

enum { TITLE_BYTES = 4096 };

VEC_TYPE(page_vec, char *);

/* "math_tests:add/1" -> "math_tests_add_1" */
static void add_file_name(struct strbuf *path, const char *name)
{
	for (; *name; name++)
		strbuf_addc(path, isalnum((unsigned char)*name) || *name == '-' ? *name : '_');
	strbuf_adds(path, ".html");
}

static bool write_page(struct report *report, const char *path, struct err *err)
{
	json_t *excerpts = report_excerpts(report, NULL);
	struct strbuf page = {0};
	bool ok;

	report->excerpts = excerpts;
	report_html(report, &page);
	report->excerpts = NULL;
	ok = output_write(path, &page, err);
	strbuf_release(&page);
	json_decref(excerpts);
	return ok;
}

/* ---- the index ---- */

static int compare_pages(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_pages(const char *folder, struct page_vec *pages)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (dot && strcmp(dot, ".html") == 0 && strcmp(entry->d_name, "index.html") != 0)
			*vec_push(pages) = mem_strdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (pages->len)
		qsort(pages->items, pages->len, sizeof(*pages->items), compare_pages);
}

/* The title of a page, which is near its beginning, as it stands there: it is escaped already. */
static void add_title(struct strbuf *out, const char *folder, const char *name)
{
	char begin[TITLE_BYTES + 1] = "", *title, *end;
	struct strbuf path = {0};
	FILE *file;

	strbuf_addf(&path, "%s/%s", folder, name);
	file = fopen(strbuf_text(&path), "re");
	if (file) {
		begin[fread(begin, 1, TITLE_BYTES, file)] = '\0';
		fclose(file);
	}
	title = strstr(begin, "<title>");
	end = title ? strstr(title, "</title>") : NULL;
	if (end)
		strbuf_add(out, title + strlen("<title>"), (size_t)(end - title) - strlen("<title>"));
	strbuf_release(&path);
}

static bool write_index(const char *folder, struct err *err)
{
	struct strbuf page = {0}, path = {0};
	struct page_vec pages = {0};
	bool ok;

	strbuf_adds(&page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			   "<title>fermata: tests</title>\n<style>body { font: 15px/1.6 sans-serif; "
			   "margin: 2em auto; max-width: 60em; color-scheme: light dark; }</style>\n"
			   "</head>\n<body>\n<h1>Tests</h1>\n<ul>\n");
	list_pages(folder, &pages);
	for (size_t i = 0; i < pages.len; i++) {
		strbuf_addf(&page, "<li><a href=\"%s\">", pages.items[i]);
		add_title(&page, folder, pages.items[i]);
		strbuf_adds(&page, "</a></li>\n");
		mem_free(pages.items[i]);
	}
	strbuf_adds(&page, "</ul>\n</body>\n</html>\n");
	strbuf_addf(&path, "%s/index.html", folder);
	ok = output_write(strbuf_text(&path), &page, err);
	vec_release(&pages);
	strbuf_release(&page);
	strbuf_release(&path);
	return ok;
}

bool html_dir_write(struct report *report, const char *folder, const char *name, struct err *err)
{
	struct strbuf path = {0};
	bool ok;

	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		return err_set_errno(err, "cannot create the folder %s", folder);
	strbuf_addf(&path, "%s/", folder);
	if (name)
		add_file_name(&path, name);
	else
		strbuf_adds(&path, "index.html");
	ok = write_page(report, strbuf_text(&path), err) && (!name || write_index(folder, err));
	strbuf_release(&path);
	return ok;
}
