#include "cli/option.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/strbuf.h"
#include "cli/help.h"
#include "core/finding.h"
#include "core/goals.h"
#include "core/statement.h"
#include "runtime/channel.h"
#include "strategy/strategy.h"

/* LIMIT: a number above 0, because 0 could mean no limit, or that nothing is allowed. */
enum option_type { FLAG, NUMBER, LIMIT, SECONDS, TEXT, CUSTOM };
enum option_scope { ANY, NATIVE, ERLANG, BOUNDED, HAPSET, COVERAGE, ROUNDS, OPTIMAL };

struct option {
	const char *name;
	enum option_type type;
	size_t offset;
	enum option_scope scope;
	const char *argument;
	const char *text;
};

static const struct option table[] = {
#define GROUP(title, scope)
#define OPTION(name, type, field, scope, argument, text)                              \
	{name, type, offsetof(struct test_options, field), scope, argument, text},
#include "cli/option.def"
#undef OPTION
#undef GROUP
};

enum { OPTIONS = sizeof(table) / sizeof(table[0]), HELP_WIDTH = 29 };
_Static_assert((int)OPTIONS <= (int)OPTION_MAX, "test_options.given has room for each");

/* The scope of an option in words: in its help line, and in the message that refuses it. */
static const struct {
	const char *help, *whose;
} scopes[] = {
	[ANY] = {"", ""},
	[NATIVE] = {"C, C++: ", "C and C++ programs"},
	[ERLANG] = {"Erlang: ", "Erlang and Elixir programs"},
	[BOUNDED] = {"`bounded`: ", "the strategies bounded and hapset-bounded"},
	[HAPSET] = {"`hapset`: ", "the strategies hapset and hapset-bounded"},
	[COVERAGE] = {"`coverage`: ", "the strategy coverage"},
	[ROUNDS] = {"`procrastinate`: ", "the strategy procrastinate"},
	[OPTIMAL] = {"`dpor`: ", "the strategies dpor, auto, graphs and suspects"},
};

void option_defaults(struct test_options *o)
{
	*o = (struct test_options){
		.strategy = "auto",
		.seed = 1,
		.bound = UINT32_MAX,
		.depth = 3,
		.burst = 25,
		.certify = OPTION_CERTIFY_DEFAULT,
		.context = 5,
		.criterion = GOAL_CRITERIA,
		.coverage = COVERAGE_SOME,
		.max_steps = 20000,
		.step_time = OPTION_STEP_SECONDS,
		.jobs = 1,
		.timeouts = 1000,
		.out = ".fermata",
	};
}

/* ---- values ---- */

bool option_parse_number(const char *name, const char *text, uint64_t *number, struct err *err)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)text[0]) || *number > INT64_MAX)
		return err_set(err, "--%s takes a whole number, not '%s'", name, text);
	return true;
}

static bool parse_seconds(const char *name, const char *text, double *seconds, struct err *err)
{
	char *end;

	errno = 0;
	*seconds = strtod(text, &end);
	if (errno || *end || end == text || !(*seconds > 0) || *seconds > 1e9)
		return err_set(err, "--%s takes a number of seconds above 0, not '%s'", name, text);
	return true;
}

bool option_parse_choice(const char *name, const char *text, const char *const *choices,
			 uint32_t *index, struct err *err)
{
	struct strbuf list = {0};

	for (*index = 0; choices[*index]; ++*index)
		if (strcmp(choices[*index], text) == 0)
			return true;
	for (size_t i = 0; choices[i]; i++) {
		const char *between = i == 0 ? "" : choices[i + 1] ? ", " : " or ";

		strbuf_addf(&list, "%s%s", between, choices[i]);
	}
	err_set(err, "--%s takes %s, not '%s'", name, strbuf_text(&list), text);
	strbuf_release(&list);
	return false;
}

static bool refuse_kind(const char *word, struct err *err)
{
	struct strbuf list = {0};

	for (uint32_t kind = 0; kind < FINDING_KINDS; kind++)
		strbuf_addf(&list, "%s%s", kind ? ", " : "", finding_kind_text(kind));
	err_set(err, "unknown finding kind '%s' (kinds: %s)", word, strbuf_text(&list));
	strbuf_release(&list);
	return false;
}

static bool parse_ignore(const char *text, uint32_t *set, struct err *err)
{
	while (*text) {
		size_t len = strcspn(text, ",");
		char word[64];
		uint32_t kind;

		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		kind = finding_kind_named(word);
		if (kind == FINDING_KINDS)
			return refuse_kind(word, err);
		*set |= 1u << kind;
		text += len;
		text += *text == ',';
	}
	return true;
}

static bool parse_only(const char *text, uint32_t *set, struct err *err)
{
	uint32_t only = 0;

	if (!parse_ignore(text, &only, err))
		return false;
	*set = ~only & ((1u << FINDING_KINDS) - 1);
	return true;
}

/* As the paper writes them: 10 or 10,3 or inf. */
static bool parse_limits(const char *text, struct test_options *o, struct err *err)
{
	o->limits_len = 0;
	do {
		size_t len = strcspn(text, ",");
		char word[32];
		uint64_t limit = UINT32_MAX;

		snprintf(word, sizeof(word), "%.*s", (int)len, text);
		if (o->limits_len == STRATEGY_LEVELS)
			return err_set(err, "--limits takes at most %d numbers", STRATEGY_LEVELS);
		if (strcmp(word, "inf") != 0 && !option_parse_number("limits", word, &limit, err))
			return false;
		if (!limit || limit > UINT32_MAX)
			return err_set(err, "--limits takes numbers above 0, or inf, not '%s'",
				       word);
		o->limits[o->limits_len++] = (uint32_t)limit;
		text += len;
	} while (*text++ == ',');
	return true;
}

static bool parse_timeouts(const char *text, uint64_t *ms, struct err *err)
{
	if (strcmp(text, "any") == 0)
		*ms = UINT64_MAX;
	else if (strcmp(text, "idle") == 0)
		*ms = 0;
	else if (!option_parse_number("timeouts", text, ms, NULL))
		return err_set(err, "--timeouts takes any, idle or milliseconds, not '%s'", text);
	return true;
}

static bool parse_side_effect(const char *text, struct test_options *o, struct err *err)
{
	if (o->side_effects_len == OPTION_SIDE_EFFECTS)
		return err_set(err, "--side-effect can be given at most %d times",
			       OPTION_SIDE_EFFECTS);
	o->side_effects[o->side_effects_len++] = text;
	return true;
}

static bool parse_criterion(const char *text, uint32_t *criterion, struct err *err)
{
	const char *words[GOAL_CRITERIA + 2] = {[GOAL_CRITERIA] = "all"};

	for (uint32_t i = 0; i < GOAL_CRITERIA; i++)
		words[i] = goal_criterion_text(i);
	return option_parse_choice("criterion", text, words, criterion, err);
}

/* Options that take one of some words; the field, a uint32_t, becomes its index. */
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
static const struct {
	const char *name;
	const char *const *words;
	size_t offset;
} choices[] = {
	{"grain", WORDS("event", "pulse"), offsetof(struct test_options, grain)},
	{"bound-kind", WORDS("preemption", "delay"), offsetof(struct test_options, bound_kind)},
	{"memory", WORDS("sc", "tso", "rc11"), offsetof(struct test_options, memory)},
	{"equivalence", WORDS("order", "rf"), offsetof(struct test_options, equivalence)},
	{"restart", WORDS("auto", "fork", "restore"), offsetof(struct test_options, restart)},
	{"observers", WORDS("messages", "none", "all"), offsetof(struct test_options, observers)},
	{"exits", WORDS("unhandled", "any"), offsetof(struct test_options, exits)},
	{"stuck", WORDS("particular", "any", "test"), offsetof(struct test_options, stuck)},
	{"delivery", WORDS("instant", "async"), offsetof(struct test_options, delivery)},
	{"io", WORDS("free", "ordered"), offsetof(struct test_options, io)},
};

static bool parse_custom(const char *name, const char *text, struct test_options *o,
			 struct err *err)
{
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		if (strcmp(choices[i].name, name) == 0)
			return option_parse_choice(name, text, choices[i].words,
						   (uint32_t *)((char *)o + choices[i].offset),
						   err);
	if (strcmp(name, "criterion") == 0)
		return parse_criterion(text, &o->criterion, err);
	if (strcmp(name, "ignore") == 0)
		return parse_ignore(text, &o->ignore, err);
	if (strcmp(name, "only") == 0)
		return parse_only(text, &o->ignore, err);
	if (strcmp(name, "limits") == 0)
		return parse_limits(text, o, err);
	if (strcmp(name, "side-effect") == 0)
		return parse_side_effect(text, o, err);
	BUG_ON(strcmp(name, "timeouts") != 0, "nothing parses --%s", name);
	o->has_timeouts = true;
	return parse_timeouts(text, &o->timeouts, err);
}

static bool check_ranges(const char *name, const struct test_options *o, struct err *err)
{
	if (o->max_steps < 1 || o->max_steps > 10000000)
		return err_set(err, "--max-steps must be between 1 and 10000000");
	if (o->step_time > 86400)
		return err_set(err, "--step-time must be at most 86400");
	if (o->depth < 1 || o->depth > 32)
		return err_set(err, "--depth must be between 1 and 32");
	if (o->levels > STRATEGY_LEVELS)
		return err_set(err, "--levels must be at most %d", STRATEGY_LEVELS);
	if (o->context > STATEMENT_CALLERS_MAX)
		return err_set(err, "--context must be at most %d", STATEMENT_CALLERS_MAX);
	if (o->jobs < 1 || o->jobs > 256)
		return err_set(err, "--jobs must be between 1 and 256");
	if (o->bound > UINT32_MAX || o->burst > 1000000 || o->spurious > 1000)
		return err_set(err, "--%s is out of range", name);
	return true;
}

static bool set_value(const struct option *option, const char *text, struct test_options *o,
		      struct err *err)
{
	void *field = (char *)o + option->offset;
	bool ok = true;

	switch (option->type) {
	case FLAG:
		*(bool *)field = true;
		break;
	case NUMBER:
	case LIMIT:
		ok = option_parse_number(option->name, text, field, err);
		if (ok && option->type == LIMIT && *(uint64_t *)field == 0)
			ok = err_set(err, "--%s takes a number above 0; leave it out for the default",
				     option->name);
		break;
	case SECONDS:
		ok = parse_seconds(option->name, text, field, err);
		break;
	case TEXT:
		*(const char **)field = text;
		break;
	case CUSTOM:
		ok = parse_custom(option->name, text, o, err);
		break;
	}
	return ok && check_ranges(option->name, o, err);
}

/* ---- where they come from ---- */

bool option_read_environment(struct test_options *o, struct err *err)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		char name[64] = "FERMATA_";
		size_t len = strlen(name);
		const char *value;

		for (const char *c = table[i].name; *c; c++)
			name[len++] = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
		name[len] = '\0';
		value = getenv(name);
		if (!value || !value[0] || (table[i].type == FLAG && strcmp(value, "0") == 0))
			continue;
		if (!set_value(&table[i], value, o, err))
			return err_prefix(err, "%s: ", name);
	}
	return true;
}

static bool is_for(enum option_scope scope, const char *strategy, bool is_erlang)
{
	switch (scope) {
	case NATIVE:
		return !is_erlang;
	case ERLANG:
		return is_erlang;
	case BOUNDED:
		return strstr(strategy, "bounded") != NULL;
	case HAPSET:
		return strncmp(strategy, "hapset", strlen("hapset")) == 0;
	case COVERAGE:
		return strcmp(strategy, "coverage") == 0;
	case ROUNDS:
		return strcmp(strategy, "procrastinate") == 0;
	case OPTIMAL:
		return strcmp(strategy, "dpor") == 0 || strcmp(strategy, "auto") == 0 ||
		       strcmp(strategy, "graphs") == 0 || strcmp(strategy, "suspects") == 0;
	default:
		return true;
	}
}

bool option_check_given(const struct test_options *o, bool is_erlang, struct err *err)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (o->given[i] && !is_for(table[i].scope, o->strategy, is_erlang))
			return err_set(err, "--%s is for %s", table[i].name,
				       scopes[table[i].scope].whose);
	return true;
}

static const struct option *find(const char *name, size_t len)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (strlen(table[i].name) == len && strncmp(table[i].name, name, len) == 0)
			return &table[i];
	return NULL;
}

bool option_refuse(const char *word, struct err *err)
{
	char typed[64], option[64];
	struct nearest nearest = {.typed = typed};

	snprintf(typed, sizeof(typed), "%.*s", (int)strcspn(word, "="), word);
	for (size_t i = 0; i < OPTIONS; i++) {
		snprintf(option, sizeof(option), "--%s", table[i].name);
		nearest_offer(&nearest, option);
	}
	return help_refuse(word, &nearest, "test", err);
}

const char *option_name(size_t index)
{
	return index < OPTIONS ? table[index].name : NULL;
}

bool option_set(struct test_options *o, const char *name, const char *value, struct err *err)
{
	const struct option *option = find(name, strlen(name));

	BUG_ON(!option, "there is no option --%s", name);
	if ((option->type == FLAG) != !value)
		return err_set(err, option->type == FLAG ? "%s takes true or false"
							 : "%s needs a value, not true or false",
			       name);
	o->given[option - table] = true;
	return set_value(option, value, o, err);
}

bool option_is_given(const struct test_options *o, const char *name)
{
	const struct option *option = find(name, strlen(name));

	BUG_ON(!option, "there is no option --%s", name);
	return o->given[option - table];
}

bool option_parse(struct test_options *o, int argc, char **argv, int *at, struct err *err)
{
	const char *word = argv[*at];
	const struct option *option;
	const char *value = NULL;
	size_t len;

	if (strncmp(word, "--", 2) != 0 || !word[2])
		return true;
	len = strcspn(word + 2, "=");
	option = find(word + 2, len);
	if (!option)
		return option_refuse(word, err);
	if (word[2 + len] == '=')
		value = word + 2 + len + 1;
	if (option->type == FLAG && value)
		return err_set(err, "--%s takes no value", option->name);
	++*at;
	if (option->type != FLAG && !value) {
		if (*at >= argc)
			return err_set(err, "--%s needs a value", option->name);
		value = argv[(*at)++];
	}
	o->given[option - table] = true;
	return set_value(option, value, o, err);
}

void option_print_line(FILE *out, const char *name, const char *argument, const char *scope,
		       const char *text)
{
	char left[64];

	snprintf(left, sizeof(left), "  --%s%s%s", name, argument ? " " : "",
		 argument ? argument : "");
	help_pad(out, left, HELP_WIDTH);
	fprintf(out, "%s%s\n", scope, text);
}

void option_print_help(FILE *out)
{
	enum option_scope said = ANY;

#define GROUP(title, scope) said = scope, fprintf(out, "\n%s\n\n", title);
#define OPTION(name, type, field, scope, argument, text)                                           \
	option_print_line(out, name, argument, scope == said ? "" : scopes[scope].help, text);
#include "cli/option.def"
#undef OPTION
#undef GROUP
}
