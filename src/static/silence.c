#include "static/silence.h"

#include <fnmatch.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"

struct rule {
	char kind[32];
	char function[512]; /* a pattern over module:name/arity, or an id */
	unsigned line;
	bool is_used;
};

VEC_TYPE(rule_vec, struct rule);

static bool read_rule(const char *line, unsigned number, struct rule_vec *rules, struct err *err)
{
	struct rule rule = {.line = number};
	char rest;
	int fields = sscanf(line, " %31s %511s %c", rule.kind, rule.function, &rest);

	if (fields <= 0 || rule.kind[0] == '#')
		return true;
	if (fields == 1 || (fields == 3 && rest != '#'))
		return err_set(err, "\"%.60s\" is not a rule (KIND MODULE:FUNCTION/ARITY)", line);
	*vec_push(rules) = rule;
	return true;
}

static bool read_rules(const char *path, struct rule_vec *rules, struct err *err)
{
	FILE *file = fopen(path, "r");
	char line[1024];
	unsigned number = 0;
	bool good = true;

	if (!file)
		return err_set_errno(err, "%s", path);
	while (good && fgets(line, sizeof(line), file)) {
		number++;
		line[strcspn(line, "\n")] = '\0';
		good = read_rule(line, number, rules, err) || err_prefix(err, "%s:%u: ", path, number);
	}
	fclose(file);
	return good;
}

static bool function_matches(const char *pattern, const char *module, const char *function)
{
	struct strbuf name = {0};
	bool matches;

	strbuf_addf(&name, "%s:%s", module, function);
	matches = fnmatch(pattern, strbuf_text(&name), 0) == 0;
	strbuf_release(&name);
	return matches;
}

static bool rule_matches(const struct rule *rule, const struct suspect *s)
{
	if (strcmp(rule->kind, "id") == 0)
		return strtoull(rule->function, NULL, 16) == s->fingerprint;
	if (strcmp(rule->kind, "*") != 0 && strcmp(rule->kind, s->kind) != 0)
		return false;
	return function_matches(rule->function, s->read.module, s->read.function) ||
	       function_matches(rule->function, s->write.module, s->write.function) ||
	       function_matches(rule->function, s->module, s->function);
}

/* Each rule that matches is used, not only the first. */
static bool any_matches(struct rule_vec *rules, const struct suspect *s)
{
	bool matches = false;

	for (size_t i = 0; i < rules->len; i++)
		if (rule_matches(&rules->items[i], s))
			matches = rules->items[i].is_used = true;
	return matches;
}

static void warn_unused(const struct rule_vec *rules, const char *path, struct strbuf *warnings)
{
	for (size_t i = 0; i < rules->len; i++)
		if (!rules->items[i].is_used)
			strbuf_addf(warnings,
				    "fermata: warning: %s:%u: no race fits the rule \"%s %s\"\n",
				    path, rules->items[i].line, rules->items[i].kind,
				    rules->items[i].function);
}

bool silence_by_file(struct suspects *found, const char *path, struct strbuf *warnings,
		     struct err *err)
{
	struct rule_vec rules = {0};
	bool good = read_rules(path, &rules, err);
	size_t kept = 0;

	for (size_t i = 0; good && i < found->len; i++)
		if (!any_matches(&rules, &found->items[i]))
			found->items[kept++] = found->items[i];
	if (good) {
		found->suppressed += found->len - kept;
		found->len = kept;
		warn_unused(&rules, path, warnings);
	}
	vec_release(&rules);
	return good;
}

static void collect_known(json_t *root, struct map *known)
{
	size_t i;
	json_t *finding;

	json_array_foreach(json_object_get(root, "findings"), i, finding) {
		const char *id = json_string_value(json_object_get(finding, "fingerprint"));

		if (id)
			*map_put(known, strtoull(id, NULL, 16), NULL) = 1;
	}
}

bool silence_by_baseline(struct suspects *found, const char *path, struct err *err)
{
	json_error_t where;
	json_t *root = json_load_file(path, 0, &where);
	struct map known = {0};
	size_t kept = 0;

	if (!root)
		return err_set(err, "%s: line %d: %s", path, where.line, where.text);
	if (!json_is_array(json_object_get(root, "findings"))) {
		json_decref(root);
		return err_set(err, "%s is not a JSON report of fermata races", path);
	}
	collect_known(root, &known);
	for (size_t i = 0; i < found->len; i++)
		if (!map_get(&known, found->items[i].fingerprint))
			found->items[kept++] = found->items[i];
	found->len = kept;
	map_release(&known);
	json_decref(root);
	return true;
}
