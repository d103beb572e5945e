/* binary: match, matches, split, compile_pattern. A compiled pattern is {bm, Binary} or
 * {ac, Binaries}: plain data, since preparing the search anew costs less than storing it. */
#include "vm/bifs/bif.h"
#include "vm/bifs/search.h"

VEC_TYPE(slice_vec, struct slice);

struct match_options {
	bool global;
	bool trim;
	bool trim_all;
	struct slice scope;
};

static bool read_option(struct match_options *o, term option, size_t total, bool is_split)
{
	if (is_split && option == A_global)
		o->global = true;
	else if (is_split && option == A_trim)
		o->trim = true;
	else if (is_split && option == A_trim_all)
		o->trim_all = true;
	else
		return term_is_tuple_of(option, 2) && tuple_element(option, 0) == A_scope &&
		       slice_read_tuple(&o->scope, tuple_element(option, 1), total);
	return true;
}

static bool read_options(struct match_options *o, term list, size_t total, bool is_split)
{
	o->scope = (struct slice){0, total};
	for (; term_is_cons(list); list = cons_tail(list))
		if (!read_option(o, cons_head(list), total, is_split))
			return false;
	return list == NIL;
}

/* One search, set up from (Subject, Pattern, Options). */
struct job {
	struct view subject;
	struct search search;
	struct match_options options;
	struct slice_vec found;
};

static bool job_open(struct job *job, const term *args, term options, bool is_split)
{
	memset(job, 0, sizeof(*job));
	if (!view_open(&job->subject, args[0]))
		return false;
	if (!read_options(&job->options, options, job->subject.len, is_split) ||
	    !search_open(&job->search, args[1])) {
		view_close(&job->subject);
		return false;
	}
	return true;
}

static void job_close(struct job *job)
{
	vec_release(&job->found);
	search_close(&job->search);
	view_close(&job->subject);
}

static void find_all(struct job *job, size_t limit)
{
	size_t at = job->options.scope.start, end = at + job->options.scope.len;
	struct slice found;

	while (job->found.len < limit &&
	       search_next(&job->search, job->subject.bytes, at, end, &found)) {
		*vec_push(&job->found) = found;
		at = found.start + found.len;
	}
}

static term make_slice(struct process *p, struct slice slice)
{
	return heap_tuple2(p, heap_unsigned(p, slice.start), heap_unsigned(p, slice.len));
}

static term match_first(struct process *p, const term *args, term options)
{
	struct job job;
	term result;

	if (!job_open(&job, args, options, false))
		return bif_badarg(p);
	find_all(&job, 1);
	result = job.found.len ? make_slice(p, job.found.items[0]) : (term)A_nomatch;
	job_close(&job);
	return result;
}

static term match_all(struct process *p, const term *args, term options)
{
	struct job job;
	term result = NIL;

	if (!job_open(&job, args, options, false))
		return bif_badarg(p);
	find_all(&job, SIZE_MAX);
	for (size_t i = job.found.len; i-- > 0;)
		result = heap_cons(p, make_slice(p, job.found.items[i]), result);
	job_close(&job);
	return result;
}

/* The pieces between the matches, last first, without the empty ones that trimming drops. */
static term cut_pieces(struct process *p, const struct job *job, term subject)
{
	size_t end = job->subject.len;
	bool trim = job->options.trim, trim_all = job->options.trim_all;
	term result = NIL;

	for (size_t i = job->found.len + 1; i-- > 0;) {
		size_t start = i ? job->found.items[i - 1].start + job->found.items[i - 1].len : 0;
		bool is_dropped = end == start && (trim_all || (trim && result == NIL));

		if (!is_dropped)
			result = heap_cons(p, bitstring_part(p, subject, start * 8,
							     (end - start) * 8), result);
		if (i)
			end = job->found.items[i - 1].start;
	}
	return result;
}

static term split(struct process *p, const term *args, term options)
{
	struct job job;
	term result;

	if (!job_open(&job, args, options, true))
		return bif_badarg(p);
	find_all(&job, job.options.global ? SIZE_MAX : 1);
	result = cut_pieces(p, &job, args[0]);
	job_close(&job);
	return result;
}

term bif_binary_match_2(struct process *p, const term *args)
{
	return match_first(p, args, NIL);
}

term bif_binary_match_3(struct process *p, const term *args)
{
	return match_first(p, args, args[2]);
}

term bif_binary_matches_2(struct process *p, const term *args)
{
	return match_all(p, args, NIL);
}

term bif_binary_matches_3(struct process *p, const term *args)
{
	return match_all(p, args, args[2]);
}

term bif_binary_split_2(struct process *p, const term *args)
{
	return split(p, args, NIL);
}

term bif_binary_split_3(struct process *p, const term *args)
{
	return split(p, args, args[2]);
}

term bif_binary_compile_pattern_1(struct process *p, const term *args)
{
	struct search search;
	size_t len;

	if (term_is_tuple(args[0]) || !search_open(&search, args[0]))
		return bif_badarg(p);
	len = search.patterns.len;
	search_close(&search);
	if (len > 1)
		return heap_tuple2(p, A_ac, args[0]);
	return heap_tuple2(p, A_bm, term_is_cons(args[0]) ? cons_head(args[0]) : args[0]);
}
