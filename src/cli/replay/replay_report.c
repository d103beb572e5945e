#include "cli/replay/replay_report.h"

#include <string.h>
#include <unistd.h>

#include "base/plural.h"
#include "cli/pager.h"
#include "report/json_words.h"

/* ---- in the child ---- */

void replay_print_finding(struct rerun *r, bool is_paged)
{
	struct report report = {.program = "", .reason = "", .strategy = "", .findings = &r->words,
				.findings_len = 1};
	struct report_style style = report_style_for(STDOUT_FILENO);
	struct strbuf text = {0};

	style.full = r->full;
	report_read_sources(&report, NULL, &r->arena);
	report = report_harmless(&report, &r->arena);
	report_finding_text(&report.findings[0], &style, &text);
	if (r->times > 1)
		strbuf_addf(&text, "replayed %lu times out of %lu\n", r->times, r->times);
	pager_print(strbuf_text(&text), is_paged);
	strbuf_release(&text);
}

void replay_write_answer(const struct rerun *r, FILE *out)
{
	json_t *root = json_object();

	json_object_set_new(root, "answer", json_string(rerun_answer_word(r->answer)));
	json_object_set_new(root, "kind", json_words_text(r->saved->kind ? r->saved->kind : ""));
	json_object_set_new(root, "line", json_words_text(r->line ? r->line : ""));
	json_object_set_new(root, "step", json_integer(r->step));
	json_dumpf(root, out, JSON_COMPACT);
	json_decref(root);
}

/* ---- in the parent ---- */

void replay_read_answer(const char *text, struct replay_row *row, struct arena *arena)
{
	json_t *root = json_loads(text, 0, NULL);
	const char *word = json_string_value(json_object_get(root, "answer"));
	const char *kind = json_string_value(json_object_get(root, "kind"));
	const char *line = json_string_value(json_object_get(root, "line"));

	row->answer = RERUN_LOST;
	for (int answer = 0; word && answer < RERUN_ANSWERS; answer++)
		if (strcmp(rerun_answer_word((enum rerun_answer)answer), word) == 0)
			row->answer = (enum rerun_answer)answer;
	row->kind = arena_strdup(arena, kind ? kind : "");
	row->line = arena_strdup(arena, line ? line : "lost control: the replay ended early");
	row->step = (uint32_t)json_integer_value(json_object_get(root, "step"));
	json_decref(root);
}

FILE *replay_stream(const char *json, const char *junit)
{
	bool is_taken = (json && strcmp(json, "-") == 0) || (junit && strcmp(junit, "-") == 0);

	return is_taken ? stderr : stdout;
}

int replay_print_answer(const struct replay_row *row, FILE *out)
{
	if (row->answer == RERUN_BAD)
		out = stderr;
	if (row->line[0]) {
		fputs("fermata: ", out);
		exits_print_harmless(out, row->line);
		fputc('\n', out);
	}
	return row->status;
}

/* The answers by weight. A program that went another way is not a failure of a regression run: a fix
 * does that to it. The line says that the schedule has nothing more to tell. */
int replay_print_table(const struct replay_row_vec *rows, const char *folder, FILE *out)
{
	static const enum rerun_answer order[] = {RERUN_SHOWN, RERUN_LOST, RERUN_BAD,
						  RERUN_NOT_SHOWN, RERUN_OTHER_WAY};
	enum { ORDER = sizeof(order) / sizeof(order[0]) };
	size_t counts[RERUN_ANSWERS] = {0};
	int status = EXIT_NO_BUG;

	for (size_t i = 0; i < rows->len; i++) {
		const struct replay_row *row = &rows->items[i];

		counts[row->answer]++;
		fprintf(out, "%-18s  ", rerun_answer_text(row->answer));
		exits_print_harmless(out, row->path);
		if (row->answer != RERUN_SHOWN) {
			fputs("  ", out);
			exits_print_harmless(out, row->line);
		}
		fputc('\n', out);
	}
	fprintf(out, "fermata: %zu finding%s in ", rows->len, PLURAL(rows->len));
	exits_print_harmless(out, folder);
	fputc(':', out);
	for (size_t i = 0, n = 0; i < ORDER; i++)
		if (counts[order[i]])
			fprintf(out, "%s %zu %s", n++ ? "," : "", counts[order[i]],
				rerun_answer_text(order[i]));
	fputs(rows->len ? "\n" : " nothing to replay\n", out);
	if (counts[RERUN_OTHER_WAY])
		fprintf(out, "fermata: the schedules of those that went another way do not fit the "
			     "program any more: search again (fermata test), then `fermata findings "
			     "remove`\n");
	for (size_t i = ORDER; i-- > 0;)
		if (counts[order[i]] && order[i] != RERUN_OTHER_WAY)
			status = rerun_answer_status(order[i]);
	return status;
}

/* ---- for programs ---- */

void replay_json(const struct replay_row_vec *rows, struct strbuf *out)
{
	json_t *root = json_object(), *list = json_array();

	for (size_t i = 0; i < rows->len; i++) {
		const struct replay_row *row = &rows->items[i];
		json_t *one = json_object();

		json_object_set_new(one, "path", json_words_text(row->path));
		json_object_set_new(one, "kind", json_words_text(row->kind));
		json_object_set_new(one, "answer", json_string(rerun_answer_word(row->answer)));
		json_object_set_new(one, "text", json_words_text(row->line));
		json_object_set_new(one, "step", row->step ? json_integer(row->step) : json_null());
		json_object_set_new(one, "wall_seconds", json_real(row->seconds));
		json_array_append_new(list, one);
	}
	json_object_set_new(root, "schema", json_integer(1));
	json_object_set_new(root, "version", json_string(FERMATA_VERSION));
	json_object_set_new(root, "findings", list);
	json_words_write(root, out);
}

static void add_case(const struct replay_row *row, struct strbuf *out)
{
	const char *element = row->answer == RERUN_SHOWN       ? "failure"
			      : row->answer == RERUN_OTHER_WAY ? "skipped"
							       : "error";

	strbuf_adds(out, "    <testcase classname=\"fermata.replay\" name=\"");
	report_add_xmls(out, row->path);
	strbuf_addf(out, "\" time=\"%.3f\">\n", row->seconds);
	if (row->answer != RERUN_NOT_SHOWN) {
		strbuf_addf(out, "      <%s ", element);
		if (row->answer != RERUN_OTHER_WAY) /* `skipped` has no type */
			strbuf_addf(out, "type=\"%s\" ", rerun_answer_word(row->answer));
		strbuf_adds(out, "message=\"");
		report_add_xmls(out, row->line);
		strbuf_adds(out, "\"/>\n");
	}
	strbuf_adds(out, "    </testcase>\n");
}

void replay_junit(const struct replay_row_vec *rows, struct strbuf *out)
{
	size_t failures = 0, errors = 0, skipped = 0;
	double seconds = 0;

	for (size_t i = 0; i < rows->len; i++) {
		failures += rows->items[i].answer == RERUN_SHOWN;
		errors += rows->items[i].answer != RERUN_SHOWN &&
			  rows->items[i].answer != RERUN_OTHER_WAY &&
			  rows->items[i].answer != RERUN_NOT_SHOWN;
		skipped += rows->items[i].answer == RERUN_OTHER_WAY;
		seconds += rows->items[i].seconds;
	}
	strbuf_addf(out,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		    "  <testsuite name=\"fermata replay\" tests=\"%zu\" failures=\"%zu\" "
		    "errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", rows->len, failures, errors,
		    skipped, seconds);
	for (size_t i = 0; i < rows->len; i++)
		add_case(&rows->items[i], out);
	strbuf_adds(out, "  </testsuite>\n</testsuites>\n");
}
