/* races.c: fermata races [options] PATH...: static race analysis of .beam files. */
#include "cli/races.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "static/races.h"
#include "static/report.h"
#include "static/silence.h"

static const char usage[] =
	"usage: fermata races [options] PATH...\n"
	"\n"
	"Looks for races in .beam files and in folders of them: something shared is read\n"
	"and later, on some path, written in the belief that it has not changed.\n"
	"\n"
	"  --all                   also what is not sure (confidence low)\n"
	"  --calls                 also a read and a write in two calls of the same server\n"
	"  --unknown-calls HOW     ignore (default) calls of unknown funs, or follow them to\n"
	"                          every function of that arity\n"
	"  --suppress FILE         what not to show: KIND MODULE:FUNCTION/ARITY per line\n"
	"  --baseline FILE         show only what is not in this earlier --json report\n"
	"  --json FILE             report as JSON (- for stdout)\n"
	"  --sarif FILE            report as SARIF 2.1.0 (- for stdout)\n"
	"  --quiet                 no text\n"
	"\n"
	"Exit status: 0 nothing found, 1 something found, 2 wrong usage or bad input.\n";

struct settings {
	struct races_options options;
	const char *suppress;
	const char *baseline;
	const char *json;
	const char *sarif;
	bool is_quiet;
	bool wants_help;
};

enum { STATUS_NONE = 0, STATUS_FOUND = 1, STATUS_INPUT = 2 };

static bool parse_unknown_calls(const char *how, struct settings *s)
{
	s->options.follow_unknown = strcmp(how, "follow") == 0;
	if (s->options.follow_unknown || strcmp(how, "ignore") == 0)
		return true;
	fprintf(stderr, "fermata: --unknown-calls is ignore or follow, not \"%s\"\n", how);
	return false;
}

static bool parse_options(int argc, char **argv, struct settings *s)
{
	static const struct option options[] = {
		{"all", no_argument, NULL, 'a'},
		{"calls", no_argument, NULL, 'c'},
		{"unknown-calls", required_argument, NULL, 'u'},
		{"suppress", required_argument, NULL, 's'},
		{"baseline", required_argument, NULL, 'b'},
		{"json", required_argument, NULL, 'j'},
		{"sarif", required_argument, NULL, 'S'},
		{"quiet", no_argument, NULL, 'q'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	int option;

	optind = 1;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'a': s->options.all = true; break;
		case 'c': s->options.calls = true; break;
		case 'u':
			if (!parse_unknown_calls(optarg, s))
				return false;
			break;
		case 's': s->suppress = optarg; break;
		case 'b': s->baseline = optarg; break;
		case 'j': s->json = optarg; break;
		case 'S': s->sarif = optarg; break;
		case 'q': s->is_quiet = true; break;
		case 'h': s->wants_help = true; break;
		default: return false;
		}
	}
	return true;
}

static bool write_report(const char *path, void (*report)(struct strbuf *, const struct suspects *),
			 const struct suspects *found)
{
	bool to_stdout = strcmp(path, "-") == 0;
	FILE *file = to_stdout ? stdout : fopen(path, "w");
	struct strbuf text = {0};
	bool good;

	if (!file) {
		perror(path);
		return false;
	}
	report(&text, found);
	good = fwrite(strbuf_text(&text), 1, text.len, file) == text.len;
	good &= (to_stdout ? fflush(file) : fclose(file)) == 0;
	if (!good)
		perror(path);
	strbuf_release(&text);
	return good;
}

static bool silence(const struct settings *s, struct suspects *found)
{
	struct err err = {0};

	if ((!s->suppress || silence_by_file(found, s->suppress, &err)) &&
	    (!s->baseline || silence_by_baseline(found, s->baseline, &err)))
		return true;
	fprintf(stderr, "fermata: %s\n", err.message);
	return false;
}

static bool write_reports(const struct settings *s, const struct suspects *found)
{
	bool is_stdout_taken = (s->json && strcmp(s->json, "-") == 0) ||
			       (s->sarif && strcmp(s->sarif, "-") == 0);

	for (size_t i = 0; i < found->errors_len; i++)
		fprintf(stderr, "fermata: %s\n", found->errors[i]);
	return (!s->json || write_report(s->json, report_races_json, found)) &&
	       (!s->sarif || write_report(s->sarif, report_races_sarif, found)) &&
	       (s->is_quiet || is_stdout_taken || write_report("-", report_races_text, found));
}

int cli_races(int argc, char **argv)
{
	struct settings s = {0};
	struct races races;
	int status;

	if (!parse_options(argc, argv, &s) || (!s.wants_help && optind >= argc)) {
		fputs(usage, stderr);
		return STATUS_INPUT;
	}
	if (s.wants_help) {
		fputs(usage, stdout);
		return STATUS_NONE;
	}
	races_analyse(&races, (const char *const *)argv + optind, (size_t)(argc - optind),
		      &s.options);
	if (!silence(&s, &races.found) || !write_reports(&s, &races.found))
		status = STATUS_INPUT;
	else
		status = races.found.len          ? STATUS_FOUND
			 : races.found.errors_len ? STATUS_INPUT
						  : STATUS_NONE;
	races_release(&races);
	return status;
}
