/* re_capture.h: makes the result of re:run from a match of PCRE2: which groups ({capture, ...}),
 * and in which form (index, list or binary). */
#ifndef VM_BIFS_RE_CAPTURE_H
#define VM_BIFS_RE_CAPTURE_H

#include "vm/bifs/re_cache.h"
#include "vm/terms/view.h"

struct re_captured {
	const struct re_compiled *compiled;
	size_t count; /* groups set, the whole match included */
	const struct view *subject;
	term subject_term;
};

/* match, or {match, Groups}. */
term re_capture_result(struct process *p, const struct re_options *options,
		       const struct re_captured *captured);

/* The names of groups in alphabetical order, each once, as a list of binaries. */
term re_capture_names(struct process *p, const struct re_compiled *compiled);

#endif
