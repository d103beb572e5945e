#include "vm/bifs/re_options.h"

#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/terms/text.h"

enum where { COMPILE, MATCH, BOTH };

static const struct {
	term name;
	uint32_t compile;
	uint32_t match;
	enum where where;
} flags[] = {
#define RE_OPTION(name, compile, match, where) {A_##name, compile, match, where},
#include "vm/bifs/re_option.def"
#undef RE_OPTION
};

static const struct {
	term name;
	uint32_t value;
} newlines[] = {
	{A_cr, PCRE2_NEWLINE_CR}, {A_lf, PCRE2_NEWLINE_LF}, {A_crlf, PCRE2_NEWLINE_CRLF},
	{A_any, PCRE2_NEWLINE_ANY}, {A_anycrlf, PCRE2_NEWLINE_ANYCRLF},
};

static bool read_flag(struct re_options *o, term name)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (flags[i].name != name)
			continue;
		o->compile |= flags[i].compile;
		o->match |= flags[i].match;
		o->has_compile_only |= flags[i].where == COMPILE;
		o->has_match_only |= flags[i].where == MATCH;
		return true;
	}
	return false;
}

static bool read_atom(struct re_options *o, term name)
{
	if (name == A_global) {
		o->global = true;
	} else if (name == A_report_errors) {
		o->report_errors = true;
	} else if (name == A_bsr_anycrlf || name == A_bsr_unicode) {
		o->bsr = name == A_bsr_anycrlf ? PCRE2_BSR_ANYCRLF : PCRE2_BSR_UNICODE;
		return true;
	} else {
		return read_flag(o, name);
	}
	o->has_match_only = true;
	return true;
}

static bool read_newline(struct re_options *o, term name)
{
	for (size_t i = 0; i < sizeof(newlines) / sizeof(*newlines); i++) {
		if (newlines[i].name == name) {
			o->newline = newlines[i].value;
			return true;
		}
	}
	return false;
}

static bool is_capture_id(term t)
{
	struct bytes text = {0};
	bool is_text = term_is_list(t) && iolist_flatten(t, &text);

	bytes_release(&text);
	return (term_is_small(t) && small_value(t) >= 0) || term_is_atom(t) || is_text ||
	       term_is_binary(t);
}

static bool read_capture(struct re_options *o, term what)
{
	static const struct {
		term name;
		enum re_capture capture;
	} words[] = {
		{A_all, RE_ALL},   {A_all_but_first, RE_ALL_BUT_FIRST}, {A_first, RE_FIRST},
		{A_none, RE_NONE}, {A_all_names, RE_ALL_NAMES},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (words[i].name == what) {
			o->capture = words[i].capture;
			return true;
		}
	}
	o->capture = what == NIL ? RE_NONE : RE_LISTED;
	o->listed = what;
	for (; term_is_cons(what); what = cons_tail(what))
		if (!is_capture_id(cons_head(what)))
			return false;
	return what == NIL;
}

static bool read_type(struct re_options *o, term type)
{
	o->type = type == A_list ? RE_LIST : type == A_binary ? RE_BINARY : RE_INDEX;
	return type == A_list || type == A_binary || type == A_index;
}

static bool read_pair(struct re_options *o, term name, term value)
{
	bool is_number = term_is_small(value) && small_value(value) >= 0;

	if (name == A_newline)
		return read_newline(o, value);
	o->has_match_only = true;
	if (name == A_capture) {
		o->has_bad_capture |= !read_capture(o, value);
		return true;
	}
	if (name == A_offset && is_number) {
		o->offset = (size_t)small_value(value);
		return true;
	}
	if (!is_number || (name != A_match_limit && name != A_match_limit_recursion))
		return false;
	if (name == A_match_limit)
		o->match_limit = (uint32_t)small_value(value);
	else
		o->depth_limit = (uint32_t)small_value(value);
	return true;
}

static bool read_one(struct re_options *o, term option)
{
	if (term_is_atom(option))
		return read_atom(o, option);
	if (term_is_tuple_of(option, 2))
		return read_pair(o, tuple_element(option, 0), tuple_element(option, 1));
	if (!term_is_tuple_of(option, 3) || tuple_element(option, 0) != A_capture)
		return false;
	o->has_match_only = true;
	o->has_bad_capture |= !read_capture(o, tuple_element(option, 1)) ||
			      !read_type(o, tuple_element(option, 2));
	return true;
}

bool re_options_read(struct re_options *options, term list)
{
	memset(options, 0, sizeof(*options));
	for (; term_is_cons(list); list = cons_tail(list))
		if (!read_one(options, cons_head(list)))
			return false;
	return list == NIL;
}
