/* re_options.h: the options of re:compile/2 and re:run/3, read into one struct.
 *
 * Some options are for compiling, some for running, some for both. re:run accepts all of them with
 * the text of an expression, and only those for running with a compiled expression. So reading
 * notes which kinds occurred, and the caller decides whether they are allowed.
 */
#ifndef VM_BIFS_RE_OPTIONS_H
#define VM_BIFS_RE_OPTIONS_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "vm/terms/term.h"

enum re_capture { RE_ALL, RE_ALL_BUT_FIRST, RE_FIRST, RE_NONE, RE_ALL_NAMES, RE_LISTED };
enum re_type { RE_INDEX, RE_LIST, RE_BINARY };

struct re_options {
	uint32_t compile; /* PCRE2 bits */
	uint32_t match;
	uint32_t newline; /* PCRE2_NEWLINE_..., 0: not given */
	uint32_t bsr;     /* PCRE2_BSR_..., 0: not given */
	bool global;
	bool report_errors;
	bool has_compile_only;
	bool has_match_only;
	bool has_bad_capture; /* what to capture, or as what, is not one of the possible things */
	size_t offset;
	uint32_t match_limit; /* 0: not given */
	uint32_t depth_limit;
	enum re_capture capture;
	enum re_type type;
	term listed; /* RE_LISTED: a proper list of integers, atoms, strings, binaries */
};

bool re_options_read(struct re_options *options, term list);

#endif
