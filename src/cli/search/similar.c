#include "cli/search/similar.h"

#include <string.h>

#include "base/hash.h"
#include "base/plural.h"

void similar_release(struct similar *similar)
{
	map_release(&similar->indexes);
	map_release(&similar->callers);
	vec_release(&similar->pairs);
	arena_release(&similar->arena);
}

/* Adds a line to the sum that is the key of a pair of lines, whichever comes first. False if the line
 * is not known: the pair has no key then. */
static bool add_line(uint64_t *sum, const char *file, uint32_t line)
{
	if (!file || !line)
		return false;
	*sum += hash_combine(hash_bytes(file, strlen(file)), line);
	return true;
}

static uint64_t key_of(struct target *target, const struct finding *finding)
{
	uint64_t sum = 0;

	if (finding->kind != FINDING_RACE || finding->sites_len != 2)
		return 0;
	for (uint32_t i = 0; i < 2; i++) {
		struct target_frame frame = {0};

		if (finding->sites[i].site)
			target->ops->describe_site(target, finding->sites[i].site, &frame);
		if (!add_line(&sum, frame.file, frame.line))
			return 0;
	}
	return sum ? sum : 1;
}

/* Is it a name that a reader knows, and not an address? */
static bool is_name(const char *text)
{
	return *text && strncmp(text, "0x", 2) != 0 && strncmp(text, "heap of ", 8) != 0;
}

static const char *name_of(struct similar *similar, struct target *target, uint64_t object)
{
	struct strbuf name = {0};
	const char *result;

	target->ops->describe_object(target, object, &name);
	result = arena_strdup(&similar->arena, strbuf_text(&name));
	strbuf_release(&name);
	return result;
}

static void add_name(struct similar *similar, struct similar_pair *pair, struct target *target,
		     uint64_t object)
{
	const char *name = name_of(similar, target, object);
	bool is_new = pair->names_len < SIMILAR_NAMES && is_name(name);

	if (strcmp(name, pair->own) == 0)
		return;
	pair->others++;
	for (uint32_t i = 0; i < pair->names_len; i++)
		is_new = is_new && strcmp(pair->names[i], name) != 0;
	if (is_new)
		pair->names[pair->names_len++] = name;
}

bool similar_has(struct similar *similar, struct target *target, const struct finding *finding)
{
	uint64_t key = key_of(target, finding);
	struct similar_pair *pair;
	uint64_t *index;
	bool is_new;

	if (!key)
		return false;
	index = map_put(&similar->indexes, key, &is_new);
	if (is_new) {
		*index = similar->pairs.len;
		*vec_push(&similar->pairs) = (struct similar_pair){
			.key = key, .own = name_of(similar, target, finding->object)};
		return false;
	}
	pair = &similar->pairs.items[*index];
	add_name(similar, pair, target, finding->object);
	return true;
}

/* The pair of lines that the words name; 0 if one of them is not known. */
static uint64_t key_of_words(const struct report_finding *words)
{
	uint64_t sum = 0;

	if (words->sites_len < 2)
		return 0;
	for (uint32_t i = 0; i < 2; i++)
		if (!add_line(&sum, words->sites[i].at.file, words->sites[i].at.line))
			return 0;
	return sum ? sum : 1;
}

bool similar_has_words(struct similar *similar, struct target *target,
		       const struct finding *finding, const struct report_finding *words)
{
	uint64_t key = key_of(target, finding), lines = key ? key_of_words(words) : 0;
	const uint64_t *own = key ? map_get(&similar->indexes, key) : NULL;
	uint64_t *first;
	bool is_new;

	if (!own || !lines)
		return false;
	first = map_put(&similar->callers, lines, &is_new);
	if (is_new)
		*first = *own;
	else if (*first != *own)
		similar->pairs.items[*first].others++;
	return !is_new && *first != *own;
}

static const struct similar_pair *find_pair(const struct similar *similar, struct target *target,
					    const struct finding *finding)
{
	uint64_t key = key_of(target, finding);
	const uint64_t *index = key ? map_get(&similar->indexes, key) : NULL;

	return index ? &similar->pairs.items[*index] : NULL;
}

static const char *describe_pair(const struct similar_pair *pair, struct arena *arena)
{
	struct strbuf text = {0};
	const char *result;

	if (!pair || !pair->others)
		return NULL;
	strbuf_adds(&text, "  These lines also race on ");
	if (!pair->names_len)
		strbuf_addf(&text, "%u other place%s in memory", pair->others, PLURAL(pair->others));
	for (uint32_t i = 0; i < pair->names_len; i++)
		strbuf_addf(&text, "%s%s", i == 0 ? "" : i + 1 < pair->names_len ? ", " : " and ",
			    pair->names[i]);
	if (pair->names_len && pair->others > pair->names_len)
		strbuf_addf(&text, " (%u races in all)", pair->others + 1);
	strbuf_adds(&text, ".\n");
	result = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return result;
}

void similar_name_all(const struct similar *similar, struct target *target,
		      const struct finding *const *causes, struct report_finding *findings,
		      size_t len, struct arena *arena)
{
	for (size_t i = 0; i < len; i++) {
		const char *text = describe_pair(find_pair(similar, target, causes[i]), arena);
		const char *details = findings[i].details;

		if (text)
			findings[i].details = arena_printf(arena, "%s%s", text,
							   details ? details : "");
	}
}

/* ---- the table ---- */

static void add_places(struct strbuf *out, const struct report_finding *finding)
{
	report_add_where(out, finding);
	if (finding->sites_len > 1 &&
	    (finding->sites[0].at.line != finding->sites[1].at.line ||
	     !finding->sites[0].at.file || !finding->sites[1].at.file ||
	     strcmp(finding->sites[0].at.file, finding->sites[1].at.file) != 0)) {
		strbuf_adds(out, ", ");
		report_add_place(out, &finding->sites[1].at);
	}
}

void similar_table(const struct report_finding *findings, size_t len, struct strbuf *out)
{
	if (len < 2)
		return;
	strbuf_addf(out, "%zu findings:\n", len);
	for (uint32_t kind = 0; kind < FINDING_KINDS; kind++)
		for (size_t i = 0; i < len; i++) {
			if (findings[i].kind != kind)
				continue;
			strbuf_addf(out, "  %-14s ", finding_kind_text(kind));
			add_places(out, &findings[i]);
			strbuf_addf(out, "%s\n", findings[i].is_known ? " (known)" : "");
		}
}
