#include "cli/replay/beam_debug.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bitset.h"
#include "base/plural.h"
#include "beam/look.h"
#include "cli/exits.h"
#include "cli/nearest.h"
#include "explain/names.h"

enum { LINE_ROOM = 4096, STEPS_AROUND = 5 };

struct prompt {
	struct target *target;
	const struct decision *decisions;
	uint32_t len; /* steps of the run */
	const struct report_finding *words;
	struct trace trace;    /* up to where the prompt stands */
	struct names names;    /* of the whole run */
	uint32_t at;           /* steps taken: the next one is at + 1 for the user */
	bool is_dirty;         /* code has run on the machine since */
	bool is_over;          /* quit */
	struct arena arena;
	struct err *err;
};

/* ---- moving ---- */

/* Runs the first `steps` decisions. */
static bool run_to(struct prompt *p, uint32_t steps)
{
	struct schedule schedule = {.decisions = p->decisions, .decisions_len = steps,
				    .tail = TAIL_STOP};

	if (!p->target->ops->run(p->target, &schedule, &p->trace, p->err))
		return false;
	p->at = steps;
	p->is_dirty = false;
	if (steps < p->len && p->trace.events_len != steps)
		return err_set_unsupported(p->err, "the run went another way at step %u when it was "
					   "repeated", p->trace.events_len + 1);
	return true;
}

static const struct report_event *row_of(const struct prompt *p, uint32_t step)
{
	for (uint32_t i = 0; i < p->words->interleaving_len; i++)
		if (p->words->interleaving[i].step == step)
			return &p->words->interleaving[i];
	return NULL;
}

static void print_row(const struct prompt *p, uint32_t step, const char *before)
{
	const struct report_event *row = row_of(p, step);

	printf("%sstep %u of %u", before, step + 1, p->len);
	if (row) {
		fputs(": ", stdout);
		exits_print_harmless(stdout, report_actor_name(p->words, row->actor));
		fputs(": ", stdout);
		exits_print_harmless(stdout, row->text);
		if (row->file)
			printf("  (%s:%u)", row->file, row->line);
	}
	putchar('\n');
}

static void show_place(const struct prompt *p)
{
	if (p->at < p->len) {
		print_row(p, p->at, "");
		return;
	}
	printf("the run is over after %u step%s: ", p->len, PLURAL(p->len));
	exits_print_harmless(stdout, p->words->message);
	putchar('\n');
}

static bool go(struct prompt *p, int64_t step)
{
	uint32_t wanted = step < 0 ? 0 : step > p->len ? p->len : (uint32_t)step;

	if (!run_to(p, wanted))
		return false;
	show_place(p);
	return true;
}

/* ---- names ---- */

static const char *name_of(const struct prompt *p, uint32_t actor)
{
	for (uint32_t i = 0; i < p->names.len; i++)
		if (p->names.items[i].actor == actor)
			return p->names.items[i].text;
	return "?";
}

/* By its name in the report, its place in the spawn tree or its pid; ACTOR_NONE, with a line. */
static uint32_t find_process(const struct prompt *p, const char *word)
{
	for (uint32_t i = 0; i < p->names.len; i++) {
		const struct name *name = &p->names.items[i];

		if (strcmp(name->text, word) == 0 || strcmp(name->id, word) == 0 ||
		    (name->alias && strcmp(name->alias, word) == 0))
			return name->actor;
	}
	if (word[0])
		printf("there is no process '%s' (`processes` lists them)\n", word);
	else
		printf("which process? (`processes` lists them)\n");
	return ACTOR_NONE;
}

static void print_text(struct prompt *p, const struct strbuf *text)
{
	const char *named = names_replace(&p->names, strbuf_text(text), &p->arena);

	while (*named) {
		size_t len = strcspn(named, "\n");

		fputs("  ", stdout);
		exits_print_harmless(stdout, arena_strndup(&p->arena, named, len));
		putchar('\n');
		named += len + (named[len] == '\n');
	}
}

/* ---- the commands ---- */

typedef bool command_run(struct prompt *p, const char *rest);

static bool run_next(struct prompt *p, const char *rest)
{
	return go(p, (int64_t)p->at + (rest[0] ? strtol(rest, NULL, 10) : 1));
}

static bool run_back(struct prompt *p, const char *rest)
{
	return go(p, (int64_t)p->at - (rest[0] ? strtol(rest, NULL, 10) : 1));
}

static bool run_goto(struct prompt *p, const char *rest)
{
	char *end;
	long step = strtol(rest, &end, 10);

	if (end == rest || *end) {
		printf("goto needs the number of a step, from 1 to %u\n", p->len);
		return true;
	}
	return go(p, step - 1);
}

static bool run_end(struct prompt *p, const char *rest)
{
	(void)rest;
	return go(p, p->len);
}

static bool run_until(struct prompt *p, const char *rest)
{
	uint32_t actor = find_process(p, rest), step = p->at + 1;

	if (actor == ACTOR_NONE)
		return true;
	while (step < p->len && p->decisions[step].actor != actor)
		step++;
	return go(p, step);
}

/* The next step, and who else could go. */
static bool run_who(struct prompt *p, const char *rest)
{
	const uint64_t *enabled = trace_enabled(&p->trace, p->trace.events_len);
	bool any = false;

	(void)rest;
	show_place(p);
	if (p->at == p->len)
		return true;
	for (uint32_t i = 0; i < p->trace.actors_len; i++) {
		if (!bitset_has(enabled, i) || i == p->decisions[p->at].actor)
			continue;
		fputs(any ? ", " : "  could go instead: ", stdout);
		exits_print_harmless(stdout, name_of(p, i));
		any = true;
	}
	puts(any ? "" : "  nobody else could go");
	return true;
}

static bool look(struct prompt *p, const char *rest,
		 void (*what)(struct target *, uint32_t, struct strbuf *))
{
	uint32_t actor = find_process(p, rest);
	struct strbuf text = {0};

	if (actor == ACTOR_NONE)
		return true;
	what(p->target, actor, &text);
	print_text(p, &text);
	strbuf_release(&text);
	return true;
}

static bool run_why(struct prompt *p, const char *rest)
{
	return look(p, rest, look_why);
}

static bool run_stack(struct prompt *p, const char *rest)
{
	return look(p, rest, look_stack);
}

static bool run_mailbox(struct prompt *p, const char *rest)
{
	return look(p, rest, look_mailbox);
}

static bool run_state(struct prompt *p, const char *rest)
{
	p->is_dirty = true;
	return look(p, rest, look_state);
}

static bool run_processes(struct prompt *p, const char *rest)
{
	(void)rest;
	for (uint32_t i = 0; i < p->names.len; i++) {
		const struct name *name = &p->names.items[i];
		struct strbuf text = {0};

		if (!name->alias) /* a timer */
			continue;
		printf("  %s: ", name->alias);
		exits_print_harmless(stdout, name->text);
		look_why(p->target, name->actor, &text);
		print_text(p, &text);
		strbuf_release(&text);
	}
	return true;
}

static bool run_ets(struct prompt *p, const char *rest)
{
	struct strbuf text = {0};

	if (!rest[0])
		look_tables(p->target, &text);
	else if (!look_table(p->target, rest, &text))
		strbuf_addf(&text, "there is no table '%s' now (`ets` lists them)\n", rest);
	print_text(p, &text);
	strbuf_release(&text);
	return true;
}

/* pid("pool") becomes pid("P1.1"), by which the machine knows the process. */
static void add_expression(const struct prompt *p, const char *text, struct strbuf *out)
{
	static const char call[] = "pid(\"";
	const char *at;

	for (; (at = strstr(text, call)); text = at) {
		size_t len;

		at += strlen(call);
		len = strcspn(at, "\"");
		strbuf_add(out, text, (size_t)(at - text));
		for (uint32_t i = 0; i < p->names.len; i++) {
			const struct name *name = &p->names.items[i];

			if (strlen(name->text) == len && strncmp(name->text, at, len) == 0) {
				strbuf_adds(out, name->id);
				at += len;
				break;
			}
		}
	}
	strbuf_adds(out, text);
}

static bool run_eval(struct prompt *p, const char *rest)
{
	struct strbuf text = {0}, expression = {0};

	if (!rest[0]) {
		printf("eval needs an expression, such as: eval whereis(server)\n");
		return true;
	}
	p->is_dirty = true;
	add_expression(p, rest, &expression);
	look_eval(p->target, strbuf_text(&expression), &text);
	print_text(p, &text);
	strbuf_release(&text);
	strbuf_release(&expression);
	return true;
}

static bool run_steps(struct prompt *p, const char *rest)
{
	uint32_t first = p->at > STEPS_AROUND ? p->at - STEPS_AROUND : 0;
	uint32_t last = p->at + STEPS_AROUND < p->len ? p->at + STEPS_AROUND : p->len;

	if (strcmp(rest, "all") == 0) {
		first = 0;
		last = p->len;
	}
	for (uint32_t i = first; i < last; i++)
		print_row(p, i, i == p->at ? "> " : "  ");
	return true;
}

static bool run_output(struct prompt *p, const char *rest)
{
	struct strbuf text = {0};

	(void)rest;
	strbuf_add(&text, p->trace.output, p->trace.output_len);
	if (!text.len)
		strbuf_adds(&text, "nothing was printed so far\n");
	print_text(p, &text);
	strbuf_release(&text);
	return true;
}

static bool run_quit(struct prompt *p, const char *rest)
{
	(void)rest;
	p->is_over = true;
	return true;
}

static bool run_help(struct prompt *p, const char *rest);

static const struct command {
	const char *word, *arguments, *text;
	command_run *run;
} commands[] = {
#define DEBUG(word, arguments, text) {#word, arguments, text, run_##word},
#include "cli/replay/beam_debug.def"
#undef DEBUG
};

enum { COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static bool run_help(struct prompt *p, const char *rest)
{
	(void)p;
	(void)rest;
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-10s %-10s %s\n", commands[i].word, commands[i].arguments, commands[i].text);
	puts("A beginning of a word is enough. PROCESS is a name, P1.2 or <0.85.0>.");
	return true;
}

/* The first command that begins so. */
static const struct command *find_command(const char *word, size_t len)
{
	struct nearest nearest = {.typed = word};

	for (size_t i = 0; i < COMMANDS; i++) {
		if (strncmp(commands[i].word, word, len) == 0)
			return &commands[i];
		nearest_offer(&nearest, commands[i].word);
	}
	printf("unknown command '%.*s'%s%s%s (`help` lists all)\n", (int)len, word,
	       nearest.best[0] ? "; did you mean '" : "", nearest.best, nearest.best[0] ? "'?" : "");
	return NULL;
}

static bool run_line(struct prompt *p, char *line)
{
	const struct command *command;
	char *word = line + strspn(line, " \t"), *rest;
	size_t len;

	for (len = strlen(word); len && isspace((unsigned char)word[len - 1]); len--)
		word[len - 1] = '\0';
	if (!word[0] || word[0] == '#')
		return true;
	len = strcspn(word, " \t");
	rest = word + len + strspn(word + len, " \t");
	if (word[len])
		word[len] = '\0';
	command = find_command(word, len);
	if (!command)
		return true;
	if (p->is_dirty && !run_to(p, p->at))
		return false;
	return command->run(p, rest);
}

bool beam_debug(struct target *target, const struct decision *decisions, uint32_t len,
		const struct report_finding *words, struct err *err)
{
	struct prompt p = {.target = target, .decisions = decisions, .len = len, .words = words,
			   .err = err};
	bool is_terminal = isatty(STDIN_FILENO), ok = run_to(&p, len);
	char line[LINE_ROOM];

	if (ok) {
		names_make(&p.names, target, &p.trace, &p.arena);
		ok = go(&p, 0);
	}
	if (ok && is_terminal)
		puts("`help` lists the commands.");
	while (ok && !p.is_over) {
		if (is_terminal || getenv("FERMATA_DEBUG_PROMPT")) /* for pictures of a session */
			fputs("(fermata) ", stdout);
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			break;
		ok = run_line(&p, line);
	}
	fflush(stdout);
	arena_release(&p.arena);
	return ok;
}
