#include "cli/search/suppress.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/plural.h"

/* ---- the file ---- */

/* The thread sanitizer's words for kinds of reports; NULL: it means nothing here. */
static const struct {
	const char *word, *kind;
	bool is_top;
} words_of_tsan[] = {
	{"race", "race", false},   {"race_top", "race", true}, {"mutex", "misuse", false},
	{"thread", "leak", false}, {"signal", NULL, false},    {"called_from_lib", NULL, false},
};

static bool read_kind(const char *word, struct suppress_rule *rule, bool *is_used)
{
	const char *kind = word;

	*is_used = true;
	for (size_t i = 0; i < sizeof(words_of_tsan) / sizeof(words_of_tsan[0]); i++)
		if (strcmp(words_of_tsan[i].word, word) == 0) {
			kind = words_of_tsan[i].kind;
			rule->is_top = words_of_tsan[i].is_top;
		}
	*is_used = kind != NULL;
	rule->kind = kind ? finding_kind_named(kind) : FINDING_KINDS;
	return !kind || rule->kind != FINDING_KINDS;
}

static bool read_rule(struct suppressions *s, char *line, const char *path, unsigned number,
		      struct err *err)
{
	struct suppress_rule rule = {0};
	char *colon, *end;
	bool is_used;

	line += strspn(line, " \t");
	for (end = line + strlen(line); end > line && strchr(" \t\r", end[-1]); end--)
		;
	*end = '\0';
	if (!*line || *line == '#')
		return true;
	colon = strchr(line, ':');
	if (!colon || !colon[1])
		return err_set(err, "%s:%u: a rule is KIND:PATTERN, not '%s'", path, number, line);
	*colon = '\0';
	if (!read_kind(line, &rule, &is_used))
		return err_set(err, "%s:%u: unknown kind '%s'", path, number, line);
	rule.pattern = colon + 1;
	if (is_used)
		*vec_push(&s->rules) = rule;
	return true;
}

bool suppressions_read(struct suppressions *s, const char *path, struct err *err)
{
	struct strbuf text = {0};
	unsigned number = 1;
	bool ok = true;
	char *at;

	*s = (struct suppressions){0};
	if (!path && access(SUPPRESS_DEFAULT, R_OK) != 0)
		return true;
	path = path ? path : SUPPRESS_DEFAULT;
	if (!file_read(path, &text, err))
		return false;
	at = arena_strndup(&s->arena, strbuf_text(&text), text.len);
	strbuf_release(&text);
	for (char *next; ok && at; at = next, number++) {
		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		ok = read_rule(s, at, path, number, err);
	}
	return ok;
}

void suppressions_release(struct suppressions *s)
{
	vec_release(&s->rules);
	arena_release(&s->arena);
}

/* ---- matching ---- */

/* Does the text match at its beginning? `end` is behind the pattern. */
static bool fits_here(const char *pattern, const char *end, const char *text)
{
	for (; pattern < end; pattern++, text++) {
		if (*pattern == '*') {
			do
				if (fits_here(pattern + 1, end, text))
					return true;
			while (*text++);
			return false;
		}
		if (*pattern == '$' && pattern + 1 == end)
			return !*text;
		if (!*text || *pattern != *text)
			return false;
	}
	return true;
}

static bool fits(const char *pattern, const char *text)
{
	const char *end = pattern + strlen(pattern);

	if (!text)
		return false;
	if (*pattern == '^')
		return fits_here(pattern + 1, end, text);
	do
		if (fits_here(pattern, end, text))
			return true;
	while (*text++);
	return false;
}

static bool count(struct suppressions *s, uint32_t kind)
{
	s->counts[kind]++;
	s->len++;
	return true;
}

/* Has the line the comment, for this kind? */
static bool has_comment(const char *file, uint32_t line, uint32_t kind)
{
	static const char comment[] = "fermata: ignore";
	struct strbuf text = {0};
	const char *at, *found;
	bool answer = false;

	if (!file || !line || !file_read(file, &text, NULL))
		return false;
	at = strbuf_text(&text);
	for (uint32_t i = 1; i < line && at; i++) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	found = at ? strstr(at, comment) : NULL;
	if (found && found < at + strcspn(at, "\n")) {
		const char *word = found + strlen(comment);
		size_t len = strcspn(word += strspn(word, " "), " \t\n*,;");

		answer = !len || (strlen(finding_kind_text(kind)) == len &&
				  strncmp(finding_kind_text(kind), word, len) == 0);
	}
	strbuf_release(&text);
	return answer;
}

bool suppressions_match(struct suppressions *s, struct target *target,
			const struct finding *finding)
{
	struct strbuf object = {0};
	bool found = false;

	if (finding->object && s->rules.len)
		target->ops->describe_object(target, finding->object, &object);
	for (uint32_t i = 0; i < finding->sites_len && !found; i++) {
		struct target_frame frame = {0};

		if (finding->sites[i].site)
			target->ops->describe_site(target, finding->sites[i].site, &frame);
		found = has_comment(frame.file, frame.line, finding->kind);
		for (size_t r = 0; r < s->rules.len && !found; r++) {
			const struct suppress_rule *rule = &s->rules.items[r];

			found = rule->kind == finding->kind &&
				(fits(rule->pattern, frame.function) ||
				 fits(rule->pattern, frame.file) ||
				 (object.len && fits(rule->pattern, strbuf_text(&object))));
		}
	}
	strbuf_release(&object);
	return found && count(s, finding->kind);
}

/* A race that a library has with itself, and that its makers have mended since. */
static const struct {
	const char *function, *assumed;
} of_libraries[] = {
	/* up to GCC 12, load() leaves the lock with a relaxed decrement */
	{"^std::_Sp_atomic<", "the lock inside std::atomic<std::shared_ptr> to exclude others"},
	/* regular expressions and streams of all threads fill the same tables with the same bytes */
	{"^std::ctype<char>::", "the tables inside std::ctype<char> to be filled alike by all threads"},
};

static bool goes_through(const struct report_site *site, const char *function)
{
	for (uint32_t f = 0; f < site->frames_len; f++)
		if (fits(function, site->frames[f].function))
			return true;
	return false;
}

/* The assumption about the library if all accesses of the race are in it; or NULL. */
static const char *find_library(const struct report_finding *words)
{
	for (size_t l = 0; l < sizeof(of_libraries) / sizeof(of_libraries[0]); l++) {
		uint32_t i = 0;

		while (i < words->sites_len && goes_through(&words->sites[i], of_libraries[l].function))
			i++;
		if (words->kind == FINDING_RACE && i && i == words->sites_len)
			return of_libraries[l].assumed;
	}
	return NULL;
}

bool suppressions_match_words(struct suppressions *s, const struct report_finding *words)
{
	const char *library = find_library(words);

	if (library) {
		s->of_library = library;
		return true;
	}
	for (size_t r = 0; r < s->rules.len; r++) {
		const struct suppress_rule *rule = &s->rules.items[r];

		if (rule->kind != words->kind || rule->is_top)
			continue;
		for (uint32_t i = 0; i < words->sites_len; i++)
			for (uint32_t f = 0; f < words->sites[i].frames_len; f++)
				if (fits(rule->pattern, words->sites[i].frames[f].function) ||
				    fits(rule->pattern, words->sites[i].frames[f].file))
					return count(s, words->kind);
	}
	return false;
}

const char *suppressions_text(const struct suppressions *s, struct arena *arena)
{
	struct strbuf text = {0};
	const char *result;

	if (!s->len)
		return s->of_library;
	for (uint32_t kind = 0; kind < FINDING_KINDS; kind++)
		if (s->counts[kind])
			strbuf_addf(&text, "%s%u finding%s of kind %s", text.len ? " and " : "",
				    s->counts[kind], PLURAL(s->counts[kind]),
				    finding_kind_text(kind));
	result = arena_printf(arena, "%s%s%s not to be a bug (suppressed)",
			      s->of_library ? s->of_library : "", s->of_library ? ", " : "",
			      strbuf_text(&text));
	strbuf_release(&text);
	return result;
}
