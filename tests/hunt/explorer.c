/* explorer.c: explores one program after the other, for tests that ask about thousands of them.
 *
 *   explorer < requests > answers
 *
 * A request is a line of words with tabs between them, as they follow `fermata test`: options and
 * `-pa DIR` first, then MODULE:FUNCTION, or `--`, the program and its arguments. Behind that come
 * the searches, each a word SEARCH and the options of that search only:
 *
 *   --delivery async -pa DIR m:f SEARCH --strategy dfs SEARCH --strategy dpor
 *
 * A word THEN and further options stand for one more search, which begins with the facts about the
 * program that the search before it has learned. Names of objects depend on these facts, so only
 * searches that know the same can be compared by their classes if one of them is bounded:
 *
 *   -pa DIR m:f SEARCH --strategy bounded THEN --strategy bounded-plain
 *
 * The answer has a line of JSON for each word SEARCH:
 *
 *   executions, blocked   numbers of runs
 *   restarts              how often it began anew because it had learned something
 *   complete, lost, certified, reason   as the search ended; `lost` also if the target broke its
 *                         contract, or if the search itself crashed
 *   outcomes, classes     the sets of their hashes
 *   split                 classes of which two runs had different outcomes: steps are called
 *                         independent that are not
 *   before                the answers of the searches before the last THEN, in their order
 *
 * Each word SEARCH is served by a child, which knows as little about the program as a new process of the
 * tool, and costs less. An Erlang machine is loaded once for all searches of a request. Only a
 * search by dpor is certified. Findings are neither confirmed nor reported: the caller names the
 * kinds that may occur in --ignore, and any other finding ends the search.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "cli/exits.h"
#include "cli/search/beam_setup.h"
#include "cli/search/child.h"
#include "cli/search/native_setup.h"
#include "cli/search/session.h"
#include "cli/search/stopping.h"
#include "cli/test.h"
#include "core/class.h"
#include "explore/explore.h"

VEC_TYPE(words, char *);

struct request {
	struct words words;          /* NULL where a search begins, and at the end */
	struct test_options options; /* of all searches */
	VEC(const char *) paths;
	VEC(char **) searches;       /* the options of each, NULL at the end */
	char **program;              /* `--` and argv, or MODULE:FUNCTION; NULL at the end */
	struct target *target;       /* of Erlang, in the child */
};

/* One search of a request. */
struct search {
	struct request *request;
	char **options; /* with the words THEN between those of several searches */
};

/* The classes that the runs so far belong to, each with its outcome. */
struct seen {
	struct map classes;
	struct map split;
};

enum { CERTIFIED_RUNS = 20000 };

static void note_run(void *ctx, const struct trace *trace)
{
	struct seen *seen = ctx;
	uint64_t *outcome, hash;
	bool is_new;

	if (!trace) {
		map_clear(&seen->classes);
		map_clear(&seen->split);
		return;
	}
	if (trace_is_cut(trace))
		return;
	hash = class_hash(trace);
	outcome = map_put(&seen->classes, hash, &is_new);
	if (is_new)
		*outcome = trace_outcome_hash(trace);
	else if (*outcome != trace_outcome_hash(trace))
		map_put(&seen->split, hash, NULL);
}

static json_t *keys_json(const struct map *map)
{
	json_t *array = json_array();

	for (size_t i = 0; i < map->len; i++) {
		char text[24];

		snprintf(text, sizeof(text), "%016" PRIx64, map->entries[i].key);
		json_array_append_new(array, json_string(text));
	}
	return array;
}

static json_t *lost_json(const char *reason)
{
	return json_pack("{s:i, s:i, s:i, s:i, s:b, s:b, s:b, s:s%, s:[], s:[], s:[]}",
			 "executions", 0, "blocked", 0, "spins", 0, "restarts", 0, "complete", 0,
			 "lost", 1, "certified", 0, "reason", reason,
			 strcspn(reason, "\n"), "outcomes", "classes", "split");
}

static json_t *explore_target(const struct test_options *o, struct target *target, struct err *err)
{
	bool is_dpor = strcmp(o->strategy, "dpor") == 0;
	struct seen seen = {0};
	struct explore_options options = {
		.strategy = o->strategy,
		.params = session_params(o),
		.max_runs = o->max_runs,
		.max_seconds = o->max_time,
		.certify_runs = is_dpor ? CERTIFIED_RUNS : 0,
		.ignored = o->ignore,
		.stop = &stop_wanted,
		.ran = note_run,
		.jobs = 1,
		.jobs_after = UINT64_MAX,
		.ctx = &seen,
	};
	struct explore_result result;
	json_t *answer = NULL;

	if (explore(target, &options, &result, err))
		answer = json_pack(
			"{s:I, s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:s, s:o, s:o, s:o}",
			"executions", (json_int_t)result.executions,
			"blocked", (json_int_t)result.blocked, "spins", (json_int_t)result.spins,
			"restarts", (json_int_t)result.restarts, "complete",
			(int)(result.complete && !result.found.len), "lost", (int)result.lost,
			"certified", (int)result.certified, "suspended",
			(int)!!(result.assumed & ASSUMED_SUSPENDED), "reason",
			result.found.len ? "a finding that was not to be ignored" : result.reason,
			"outcomes", keys_json(&result.outcomes), "classes",
			keys_json(&seen.classes), "split", keys_json(&seen.split));
	explore_result_release(&result);
	map_release(&seen.classes);
	map_release(&seen.split);
	return answer;
}

static int count(char **words)
{
	int len = 0;

	while (words[len])
		len++;
	return len;
}

/* Sets options up to the first word that is not one; returns its index, or -1 with err. */
static int parse(struct request *request, char **words, struct test_options *options,
		 struct err *err)
{
	int at = 0, argc = count(words);

	while (at < argc && strcmp(words[at], "--") != 0) {
		int before = at;

		if (strcmp(words[at], "-pa") == 0 && at + 1 < argc) {
			*vec_push(&request->paths) = words[at + 1];
			at += 2;
			continue;
		}
		if (!option_parse(options, argc, words, &at, err))
			return -1;
		if (at == before)
			break;
	}
	return at;
}

static bool is_native(const struct request *request)
{
	return strcmp(request->program[0], "--") == 0;
}

static struct target *create_target(struct request *request, const struct test_options *options,
				    struct native_setup *native, struct err *err)
{
	if (!is_native(request))
		return request->target;
	return native_setup_create(native, options, request->program + 1, err);
}

/* Makes the searches one after the other, with one target. Returns the answer of the last, or of the
 * first that failed. */
static json_t *make_searches(const struct search *search, struct target **target,
			     struct native_setup *native, struct err *err)
{
	json_t *before = json_array(), *answer = NULL;
	char **words = search->options;

	do {
		struct test_options options = search->request->options;
		int at = parse(search->request, words, &options, err);

		if (answer)
			json_array_append_new(before, answer);
		answer = NULL;
		if (at < 0)
			break;
		if (!*target)
			*target = create_target(search->request, &options, native, err);
		if (*target)
			answer = explore_target(&options, *target, err);
		words += at;
	} while (answer && *words && strcmp(*words++, "THEN") == 0);
	if (!answer)
		answer = lost_json(err->message);
	json_object_set_new(answer, "before", before);
	return answer;
}

/* Runs in a child. The target of a C program ends with it. */
static int answer_search(void *ctx, FILE *out)
{
	const struct search *search = ctx;
	struct target *target = NULL;
	struct native_setup native;
	struct err err = {0};

	/* The line that reports a broken contract becomes the answer. */
	dup2(fileno(out), STDERR_FILENO);
	json_dumpf(make_searches(search, &target, &native, &err), out, JSON_COMPACT);
	fflush(out);
	if (target && is_native(search->request))
		target->ops->free(target);
	return EXIT_NO_BUG;
}

static const char *last_line(const struct strbuf *text)
{
	const char *line = strrchr(strbuf_text(text), '\n');

	while (line && !line[1] && line > strbuf_text(text)) /* the text ends with it */
		line = memrchr(strbuf_text(text), '\n', (size_t)(line - strbuf_text(text)));
	return line ? line + 1 : strbuf_text(text);
}

static bool answer_searches(struct request *request, FILE *out, struct err *err)
{
	for (size_t i = 0; i < request->searches.len; i++) {
		struct search search = {request, request->searches.items[i]};
		struct child_answer answer;
		const char *line;

		if (!child_ask(answer_search, &search, &answer, err))
			return false;
		line = last_line(&answer.text);
		if (line[0] == '{') {
			fprintf(out, "%s\n", line);
		} else {
			json_t *lost = lost_json(line[0] ? line : "the search crashed");

			json_dumpf(lost, out, JSON_COMPACT);
			fputc('\n', out);
			json_decref(lost);
		}
		strbuf_release(&answer.text);
	}
	return true;
}

/* Runs in a child: there is one machine in a process. Its own children make the searches. */
static int answer_erlang(void *ctx, FILE *out)
{
	struct request *request = ctx;
	struct beam_subject subject = {.function = request->program[0],
				       .paths = request->paths.items};
	struct beam_setup setup;
	struct err err = {0};

	request->target = beam_setup_create(&setup, &request->options, &subject, &err);
	for (size_t i = 0; !request->target && i < request->searches.len; i++) {
		json_dumpf(lost_json(err.message), out, JSON_COMPACT);
		fputc('\n', out);
	}
	if (request->target && !answer_searches(request, out, &err))
		return exits_fail(&err);
	return EXIT_NO_BUG;
}

/* Cuts the line into words and finds the parts of the request. */
static bool read_request(char *line, struct request *request, struct err *err)
{
	int at;

	for (char *one = strtok(line, "\t\n"); one; one = strtok(NULL, "\t\n"))
		*vec_push(&request->words) = strcmp(one, "SEARCH") ? one : NULL;
	*vec_push(&request->words) = NULL;
	for (size_t i = 0; i + 1 < request->words.len; i++)
		if (!request->words.items[i])
			*vec_push(&request->searches) = &request->words.items[i + 1];
	option_defaults(&request->options);
	at = parse(request, request->words.items, &request->options, err);
	*vec_push(&request->paths) = NULL;
	if (at < 0)
		return false;
	request->program = request->words.items + at;
	if (!request->program[0] || !request->searches.len)
		return err_set(err, "the request has no program, or no search");
	return true;
}

static bool serve(char *line, struct err *err)
{
	struct request request = {0};
	struct child_answer answer = {0};
	bool ok = read_request(line, &request, err);

	if (ok && is_native(&request))
		ok = answer_searches(&request, stdout, err);
	else if (ok)
		ok = child_ask(answer_erlang, &request, &answer, err);
	fputs(strbuf_text(&answer.text), stdout);
	fflush(stdout);
	strbuf_release(&answer.text);
	vec_release(&request.words);
	vec_release(&request.paths);
	vec_release(&request.searches);
	return ok;
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;
	struct err err = {0};

	while (getline(&line, &size, stdin) > 0)
		if (!serve(line, &err))
			return exits_fail(&err);
	free(line);
	return EXIT_NO_BUG;
}
