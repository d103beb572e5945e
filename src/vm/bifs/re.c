/* re: compiling and running expressions. Global matching and characters beyond bytes are done by
 * the Erlang part of the module (grun, urun, ucompile), which these functions call as on the real
 * VM. */
#include "base/vec.h"
#include "vm/bifs/bif.h"
#include "vm/bifs/re_cache.h"
#include "vm/bifs/re_capture.h"
#include "vm/code/code.h"
#include "vm/terms/text.h"
#include "vm/terms/view.h"

/* This version differs from that of the real VM on purpose. Elixir stores expressions that were
 * compiled together with a module, and compiles them again when the version is another one. */
term bif_re_version_0(struct process *p, const term *args)
{
	static const char text[] = "fermata 1";

	return binary_from(p, text, sizeof(text) - 1);
}

/* ---- compiling ---- */

static struct re_source make_source(const struct re_options *options, const struct view *text)
{
	return (struct re_source){
		.options = options->compile,
		.newline = options->newline ? options->newline : PCRE2_NEWLINE_LF,
		.bsr = options->bsr ? options->bsr : PCRE2_BSR_UNICODE,
		.text = text->bytes,
		.len = text->len,
	};
}

/* {re_pattern, Captures, IsUnicode, UsesCrLf, Data} */
static term make_pattern(struct process *p, const struct re_source *source,
			 const struct re_compiled *compiled)
{
	struct bytes data = {0};
	uint32_t captures = 0, newline = 0;
	term elements[5];

	pcre2_pattern_info(compiled->code, PCRE2_INFO_CAPTURECOUNT, &captures);
	pcre2_pattern_info(compiled->code, PCRE2_INFO_NEWLINE, &newline);
	re_source_write(source, &data);
	elements[0] = A_re_pattern;
	elements[1] = small_make(captures);
	elements[2] = small_make((source->options & PCRE2_UTF) != 0);
	elements[3] = small_make(newline == PCRE2_NEWLINE_CRLF || newline == PCRE2_NEWLINE_ANY ||
				 newline == PCRE2_NEWLINE_ANYCRLF);
	elements[4] = binary_from(p, data.items, data.len);
	bytes_release(&data);
	return heap_tuple(p, 5, elements);
}

static term make_compile_error(struct process *p, const struct re_compiled *compiled)
{
	struct strbuf text = {0};
	size_t offset;
	term string;

	re_error_text(compiled, &text, &offset);
	string = heap_string(p, strbuf_text(&text));
	strbuf_release(&text);
	return heap_tuple2(p, string, heap_unsigned(p, offset));
}

static term compile(struct process *p, term text, term option_list)
{
	struct re_options options;
	const struct re_compiled *compiled;
	struct re_source source;
	struct view view;
	term result;

	if (!re_options_read(&options, option_list) || options.has_match_only)
		return bif_badarg_cause(p, A_badopt);
	if ((options.compile & PCRE2_UTF) && !term_is_binary(text)) {
		const term both[] = {text, option_list};

		return bif_trap(p, A_re, A_ucompile, 2, both);
	}
	if (!view_open_iolist(&view, text))
		return bif_badarg(p);
	source = make_source(&options, &view);
	compiled = re_cache_get(&source);
	if (compiled->code)
		result = heap_tuple2(p, A_ok, make_pattern(p, &source, compiled));
	else
		result = heap_tuple2(p, A_error, make_compile_error(p, compiled));
	view_close(&view);
	return result;
}

/* Of OTP 28: {re_exported_pattern, Header, Text, Options, Code}, which another machine may import.
 * The code of another machine is not used: text and options are enough. */
static term export_pattern(struct process *p, term text, term options)
{
	term binary = text, elements[5];
	struct view view;

	if (!term_is_binary(text)) {
		if (!view_open_iolist(&view, text))
			return bif_badarg(p);
		binary = binary_from(p, view.bytes, view.len);
		view_close(&view);
	}
	elements[0] = atom_from_string("re_exported_pattern");
	elements[1] = binary_from(p, "re-PCRE2", 8);
	elements[2] = binary;
	elements[3] = options;
	elements[4] = binary_from(p, "", 0);
	return heap_tuple2(p, A_ok, heap_tuple(p, 5, elements));
}

/* The options without `export`. */
static term without_export(struct process *p, term options)
{
	term kept = NIL, *last = &kept;

	for (; term_is_cons(options); options = cons_tail(options)) {
		if (cons_head(options) == atom_from_string("export"))
			continue;
		*last = heap_cons(p, cons_head(options), NIL);
		last = cons_ptr(*last) + 1;
	}
	*last = options;
	return kept;
}

term bif_re_import_1(struct process *p, const term *args)
{
	term t = args[0], result;

	if (!term_is_tuple_of(t, 5) ||
	    tuple_element(t, 0) != atom_from_string("re_exported_pattern") ||
	    !term_is_binary(tuple_element(t, 2)))
		return bif_badarg(p);
	result = compile(p, tuple_element(t, 2), without_export(p, tuple_element(t, 3)));
	if (result == TERM_NONE)
		return result;
	return tuple_element(result, 0) == A_ok ? tuple_element(result, 1) : bif_badarg(p);
}

term bif_re_compile_1(struct process *p, const term *args)
{
	return compile(p, args[0], NIL);
}

term bif_re_compile_2(struct process *p, const term *args)
{
	term options = args[1], result;

	if (code_otp_release() >= 28)
		options = without_export(p, options);
	result = compile(p, args[0], options);
	if (result == TERM_NONE || code_otp_release() < 28 ||
	    list_length(options) == list_length(args[1]) || tuple_element(result, 0) != A_ok)
		return result;
	return export_pattern(p, args[0], args[1]);
}

static bool is_pattern(term t)
{
	return term_is_tuple_of(t, 5) && tuple_element(t, 0) == A_re_pattern &&
	       term_is_small(tuple_element(t, 1)) && term_is_small(tuple_element(t, 2)) &&
	       term_is_small(tuple_element(t, 3)) && term_is_binary(tuple_element(t, 4));
}

/* The source of a compiled expression; when it returns true, the caller must close view. */
static bool open_pattern(term pattern, struct re_source *source, struct view *view)
{
	if (!view_open(view, tuple_element(pattern, 4)))
		return false;
	if (re_source_read(source, view->bytes, view->len))
		return true;
	view_close(view);
	return false;
}

term bif_re_inspect_2(struct process *p, const term *args)
{
	struct re_source source;
	const struct re_compiled *compiled;
	struct view view;
	term names = NIL;

	if (args[1] != A_namelist || !is_pattern(args[0]) ||
	    !open_pattern(args[0], &source, &view))
		return bif_badarg(p);
	compiled = re_cache_get(&source);
	if (compiled->code)
		names = re_capture_names(p, compiled);
	view_close(&view);
	return heap_tuple2(p, A_namelist, names);
}

/* ---- running ---- */

/* One match: subject, expression, options. */
struct job {
	struct process *p;
	const term *args; /* Subject, Expression, Options */
	struct re_options options;
	struct re_source source;
	struct view expression;
	struct view subject;
};

static term match_subject(struct job *job, const struct re_compiled *compiled)
{
	struct process *p = job->p;
	int count;

	if (job->options.offset > job->subject.len)
		return bif_badarg(p);
	count = pcre2_match(compiled->code, job->subject.bytes, job->subject.len,
			    job->options.offset, job->options.match, compiled->match,
			    re_match_context(&job->options));
	if (count >= 0) {
		struct re_captured captured = {compiled, (size_t)count, &job->subject,
					       job->args[0]};

		return re_capture_result(p, &job->options, &captured);
	}
	if (count <= PCRE2_ERROR_UTF8_ERR1 && count >= PCRE2_ERROR_UTF8_ERR21)
		return bif_badarg(p);
	if (count == PCRE2_ERROR_BADUTFOFFSET || count == PCRE2_ERROR_BADOPTION)
		return bif_badarg(p);
	if (job->options.report_errors && count == PCRE2_ERROR_MATCHLIMIT)
		return heap_tuple2(p, A_error, A_match_limit);
	if (job->options.report_errors && count == PCRE2_ERROR_DEPTHLIMIT)
		return heap_tuple2(p, A_error, A_match_limit_recursion);
	return A_nomatch;
}

/* grun gets the options and whether some of them are for compiling only. */
static term run_globally(struct job *job, const struct re_compiled *compiled)
{
	struct process *p = job->p;
	term options = job->args[2], needs_cleaning = atom_from_bool(job->options.has_compile_only);
	term three[] = {job->args[0], job->args[1], TERM_NONE};

	if (is_pattern(three[1])) {
		three[2] = heap_tuple2(p, options, needs_cleaning);
	} else {
		three[1] = make_pattern(p, &job->source, compiled);
		three[2] = heap_tuple3(p, options, needs_cleaning, job->args[1]);
	}
	return bif_trap(p, A_re, A_grun, 3, three);
}

static term run_opened(struct job *job)
{
	const struct re_compiled *compiled = re_cache_get(&job->source);
	struct process *p = job->p;
	term result;

	if (!compiled->code) {
		if (!job->options.report_errors || is_pattern(job->args[1]))
			return bif_badarg(p);
		return heap_tuple2(p, A_error, heap_tuple2(p, A_compile,
							   make_compile_error(p, compiled)));
	}
	if (job->options.global)
		return run_globally(job, compiled);
	if (!view_open_iolist(&job->subject, job->args[0]))
		return bif_badarg(p);
	result = match_subject(job, compiled);
	view_close(&job->subject);
	return result;
}

/* Whether the characters must be turned into UTF-8 first, or back afterwards. */
static bool needs_characters(const struct job *job, bool is_unicode)
{
	bool wants_list = job->options.type == RE_LIST && !job->options.global;

	return is_unicode && (!term_is_binary(job->args[0]) || wants_list ||
			      (!is_pattern(job->args[1]) && !term_is_binary(job->args[1])));
}

/* The first bytes of an expression that the library of the real VM compiled. */
static bool is_foreign(term pattern)
{
	struct view view;
	bool result;

	if (!view_open(&view, tuple_element(pattern, 4)))
		return false;
	result = view.len >= 4 && memcmp(view.bytes, "ERCP", 4) == 0;
	view_close(&view);
	return result;
}

static bool open_expression(struct job *job)
{
	if (!is_pattern(job->args[1])) {
		if (!view_open_iolist(&job->expression, job->args[1]))
			return false;
		job->source = make_source(&job->options, &job->expression);
		return true;
	}
	if (job->options.has_compile_only ||
	    !open_pattern(job->args[1], &job->source, &job->expression))
		return false;
	/* these two may differ at each match, which needs another compiled expression */
	if (job->options.newline)
		job->source.newline = job->options.newline;
	if (job->options.bsr)
		job->source.bsr = job->options.bsr;
	return true;
}

static term run(struct process *p, const term *args)
{
	struct job job = {.p = p, .args = args};
	bool is_unicode;
	term result;

	if (!re_options_read(&job.options, args[2]))
		return bif_badarg_cause(p, A_badopt);
	is_unicode = is_pattern(args[1]) ? tuple_element(args[1], 2) == small_make(1)
					 : (job.options.compile & PCRE2_UTF) != 0;
	if (job.options.has_bad_capture || (is_pattern(args[1]) && job.options.has_compile_only))
		return bif_badarg(p);
	if (needs_characters(&job, is_unicode))
		return bif_trap(p, A_re, A_urun, 3, args);
	if (!open_expression(&job)) {
		if (is_pattern(args[1]) && is_foreign(args[1]))
			return bif_unsupported(p, "re: an expression compiled by another PCRE");
		return bif_badarg(p);
	}
	result = run_opened(&job);
	view_close(&job.expression);
	return result;
}

term bif_re_run_3(struct process *p, const term *args)
{
	return run(p, args);
}

term bif_re_run_2(struct process *p, const term *args)
{
	const term three[] = {args[0], args[1], NIL};

	return run(p, three);
}

/* The fourth argument says whether the subject was checked before; it is always checked here. */
term bif_re_internal_run_4(struct process *p, const term *args)
{
	return run(p, args);
}
