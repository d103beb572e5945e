#include "cli/option.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/finding.h"
#include "core/goals.h"
#include "core/statement.h"
#include "runtime/channel.h"
#include "strategy/strategy.h"

enum option_type { FLAG, NUMBER, SECONDS, TEXT, CUSTOM };

struct option {
	const char *name;
	enum option_type type;
	size_t offset;
	const char *argument;
	const char *text;
};

static const struct option table[] = {
#define OPTION(name, type, field, argument, text)                              \
	{name, type, offsetof(struct test_options, field), argument, text},
#include "cli/option.def"
#undef OPTION
};

enum { OPTIONS = sizeof(table) / sizeof(table[0]) };

void option_defaults(struct test_options *o)
{
	*o = (struct test_options){
		.strategy = "auto",
		.seed = 1,
		.bound = UINT32_MAX,
		.depth = 3,
		.burst = 25,
		.context = 5,
		.criterion = GOAL_CRITERIA,
		.coverage = COVERAGE_SOME,
		.max_steps = 20000,
		.jobs = 1,
		.timeouts = 1000,
		.out = ".fermata",
	};
}

/* ---- values ---- */

static bool parse_number(const char *name, const char *text, uint64_t *number, struct err *err)
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

static bool parse_choice(const char *name, const char *text, const char *const *choices,
			 uint32_t *index, struct err *err)
{
	for (*index = 0; choices[*index]; ++*index)
		if (strcmp(choices[*index], text) == 0)
			return true;
	return err_set(err, "--%s does not know '%s'", name, text);
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
			return err_set(err, "--ignore does not know the finding kind '%s'", word);
		*set |= 1u << kind;
		text += len;
		text += *text == ',';
	}
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
		if (strcmp(word, "inf") != 0 && !parse_number("limits", word, &limit, err))
			return false;
		if (!limit || limit > UINT32_MAX)
			return err_set(err, "--limits takes numbers above 0, or inf, not '%s'", word);
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
	else if (!parse_number("timeouts", text, ms, NULL))
		return err_set(err, "--timeouts takes any, idle or milliseconds, not '%s'", text);
	return true;
}

static bool parse_custom(const char *name, const char *text, struct test_options *o, struct err *err)
{
	static const char *const bounds[] = {"preemption", "delay", NULL};
	static const char *const ways[] = {"auto", "fork", "restore", NULL};
	static const char *const observers[] = {"messages", "none", "all", NULL};
	static const char *const grains[] = {"event", "pulse", NULL};
	static const char *const exits[] = {"unhandled", "any", NULL};
	static const char *const stuck[] = {"particular", "any", "test", NULL};
	static const char *const deliveries[] = {"instant", "async", NULL};
	static const char *const io[] = {"free", "ordered", NULL};
	static const char *const criteria[] = {
		[GOAL_PR] = "pr", [GOAL_PBR] = "pbr", [GOAL_PCR] = "pcr",
		[GOAL_CRITERIA] = "all", NULL};

	if (strcmp(name, "criterion") == 0)
		return parse_choice(name, text, criteria, &o->criterion, err);
	if (strcmp(name, "ignore") == 0)
		return parse_ignore(text, &o->ignore, err);
	o->has_timeouts = o->has_timeouts || strcmp(name, "timeouts") == 0;
	if (strcmp(name, "timeouts") == 0)
		return parse_timeouts(text, &o->timeouts, err);
	if (strcmp(name, "side-effect") == 0) {
		if (o->side_effects_len == OPTION_SIDE_EFFECTS)
			return err_set(err, "--side-effect: too many");
		o->side_effects[o->side_effects_len++] = text;
		return true;
	}
	if (strcmp(name, "limits") == 0)
		return parse_limits(text, o, err);
	if (strcmp(name, "grain") == 0)
		return parse_choice(name, text, grains, &o->grain, err);
	if (strcmp(name, "bound-kind") == 0)
		return parse_choice(name, text, bounds, &o->bound_kind, err);
	if (strcmp(name, "restart") == 0)
		return parse_choice(name, text, ways, &o->restart, err);
	if (strcmp(name, "exits") == 0)
		return parse_choice(name, text, exits, &o->exits, err);
	if (strcmp(name, "stuck") == 0)
		return parse_choice(name, text, stuck, &o->stuck, err);
	if (strcmp(name, "delivery") == 0)
		return parse_choice(name, text, deliveries, &o->delivery, err);
	if (strcmp(name, "io") == 0)
		return parse_choice(name, text, io, &o->io, err);
	return parse_choice(name, text, observers, &o->observers, err);
}

static bool check_ranges(const char *name, const struct test_options *o, struct err *err)
{
	if (o->max_steps < 1 || o->max_steps > 10000000)
		return err_set(err, "--max-steps must be between 1 and 10000000");
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
		ok = parse_number(option->name, text, field, err);
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

static const struct option *find(const char *name, size_t len)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (strlen(table[i].name) == len && strncmp(table[i].name, name, len) == 0)
			return &table[i];
	return NULL;
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
		return err_set(err, "unknown option %s (fermata test --help lists them)", word);
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
	return set_value(option, value, o, err);
}

void option_print_help(FILE *out)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		char left[48];

		snprintf(left, sizeof(left), "--%s%s%s", table[i].name,
			 table[i].argument ? " " : "", table[i].argument ? table[i].argument : "");
		fprintf(out, "  %-26s %s\n", left, table[i].text);
	}
}
