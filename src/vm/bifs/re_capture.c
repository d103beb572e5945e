#include "vm/bifs/re_capture.h"

#include <string.h>

#include "base/vec.h"
#include "vm/terms/atom.h"
#include "vm/terms/text.h"

/* PCRE2's table of names: entries of two bytes (the group) and a NUL-terminated name, sorted. */
struct names {
	const uint8_t *entries;
	uint32_t len;
	uint32_t entry_size;
};

static struct names names_of(const struct re_compiled *compiled)
{
	struct names names = {0};

	pcre2_pattern_info(compiled->code, PCRE2_INFO_NAMECOUNT, &names.len);
	pcre2_pattern_info(compiled->code, PCRE2_INFO_NAMEENTRYSIZE, &names.entry_size);
	pcre2_pattern_info(compiled->code, PCRE2_INFO_NAMETABLE, &names.entries);
	return names;
}

static const char *name_at(const struct names *names, uint32_t i)
{
	return (const char *)names->entries + (size_t)i * names->entry_size + 2;
}

static size_t group_at(const struct names *names, uint32_t i)
{
	const uint8_t *entry = names->entries + (size_t)i * names->entry_size;

	return (size_t)entry[0] << 8 | entry[1];
}

static bool is_repeated(const struct names *names, uint32_t i)
{
	return i > 0 && strcmp(name_at(names, i), name_at(names, i - 1)) == 0;
}

term re_capture_names(struct process *p, const struct re_compiled *compiled)
{
	struct names names = names_of(compiled);
	term list = NIL;

	for (uint32_t i = names.len; i-- > 0;) {
		const char *name = name_at(&names, i);

		if (!is_repeated(&names, i))
			list = heap_cons(p, binary_from(p, name, strlen(name)), list);
	}
	return list;
}

/* ---- one group ---- */

#define NO_GROUP SIZE_MAX

static bool is_set(const struct re_captured *c, size_t group)
{
	return group < c->count &&
	       pcre2_get_ovector_pointer(c->compiled->match)[2 * group] != PCRE2_UNSET;
}

/* Of several groups with the name, the first that is set. */
static size_t find_named(const struct re_captured *c, const char *name, size_t len)
{
	struct names names = names_of(c->compiled);
	size_t found = NO_GROUP;

	for (uint32_t i = 0; i < names.len; i++) {
		const char *entry = name_at(&names, i);

		if (strlen(entry) != len || memcmp(entry, name, len) != 0)
			continue;
		if (is_set(c, group_at(&names, i)))
			return group_at(&names, i);
		found = group_at(&names, i);
	}
	return found;
}

static size_t find_group(const struct re_captured *c, term id)
{
	struct bytes text = {0};
	size_t group;

	if (term_is_small(id))
		return (size_t)small_value(id);
	if (term_is_atom(id))
		return find_named(c, atom_text(id), atom_name(id)->len);
	if (!iolist_flatten(id, &text))
		group = NO_GROUP;
	else
		group = find_named(c, text.items ? (const char *)text.items : "", text.len);
	bytes_release(&text);
	return group;
}

static term make_binary(struct process *p, const struct re_captured *c, size_t start, size_t len)
{
	if (term_is_bitstring(c->subject_term))
		return bitstring_part(p, c->subject_term, start * 8, len * 8);
	return binary_from(p, c->subject->bytes + start, len);
}

static term make_group(struct process *p, const struct re_captured *c, size_t group,
		       enum re_type type)
{
	size_t start = 0, len = 0;

	if (!is_set(c, group)) {
		if (type == RE_INDEX)
			return heap_tuple2(p, small_make(-1), small_make(0));
	} else {
		const size_t *pair = pcre2_get_ovector_pointer(c->compiled->match) + 2 * group;

		start = pair[0];
		len = pair[1] > start ? pair[1] - start : 0;
	}
	if (type == RE_INDEX)
		return heap_tuple2(p, heap_unsigned(p, start), heap_unsigned(p, len));
	if (type == RE_LIST)
		return heap_byte_list(p, c->subject->bytes + start, len, NIL);
	return make_binary(p, c, start, len);
}

/* ---- all that are wanted ---- */

static void collect_names(struct process *p, const struct re_captured *c, enum re_type type,
			  struct term_vec *out)
{
	struct names names = names_of(c->compiled);

	for (uint32_t i = 0; i < names.len; i++) {
		const char *name = name_at(&names, i);

		if (!is_repeated(&names, i))
			*vec_push(out) = make_group(p, c, find_named(c, name, strlen(name)), type);
	}
}

static void collect(struct process *p, const struct re_options *o, const struct re_captured *c,
		    struct term_vec *out)
{
	switch (o->capture) {
	case RE_ALL:
	case RE_ALL_BUT_FIRST:
		for (size_t i = o->capture == RE_ALL_BUT_FIRST; i < c->count; i++)
			*vec_push(out) = make_group(p, c, i, o->type);
		break;
	case RE_FIRST:
		*vec_push(out) = make_group(p, c, 0, o->type);
		break;
	case RE_LISTED:
		for (term list = o->listed; term_is_cons(list); list = cons_tail(list))
			*vec_push(out) = make_group(p, c, find_group(c, cons_head(list)), o->type);
		break;
	case RE_ALL_NAMES:
		collect_names(p, c, o->type, out);
		break;
	case RE_NONE:
		break;
	}
}

term re_capture_result(struct process *p, const struct re_options *options,
		       const struct re_captured *captured)
{
	struct term_vec groups = {0};
	term result;

	collect(p, options, captured, &groups);
	if (options->capture == RE_NONE || (options->capture == RE_ALL_NAMES && !groups.len))
		result = A_match;
	else
		result = heap_tuple2(p, A_match, heap_list(p, groups.items, groups.len, NIL));
	vec_release(&groups);
	return result;
}
