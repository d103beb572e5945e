#include "native/cc.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "native/cc_stub.h"
#include "native/linkmap.h"

static const struct {
	const char *name, *family;
} intercepted[] = {
#define INTERCEPTED(name, family) {#name, #family},
#include "runtime/intercept.def"
#undef INTERCEPTED
};

/* Every instrumented object refers to it (fermata-note.h). */
static const char LINKED_BY_WRAPPER[] = "link_these_objects_with_fermata_cc_or_fermata_cxx";

static bool write_file(const char *path, const struct strbuf *text, struct err *err)
{
	FILE *file = fopen(path, "we");
	bool ok;

	if (!file)
		return err_set_errno(err, "%s", path);
	ok = fwrite(strbuf_text(text), 1, text->len, file) == text->len;
	ok = fclose(file) == 0 && ok;
	return ok || err_set_errno(err, "%s", path);
}

/* How intercepted calls reach us: statically each is wrapped, dynamically ours come first
 * because the program's own symbols do, provided that they are exported. */
static const char *write_symbol_options(struct cc *cc, struct err *err)
{
	const char *path = cc_temp_path(cc, "symbols.rsp", err);
	const char *option = cc->args.is_static ? "--wrap" : "--export-dynamic-symbol";
	struct strbuf text = {0};
	bool ok;

	if (!path)
		return NULL;
	for (size_t i = 0; i < sizeof(intercepted) / sizeof(intercepted[0]); i++)
		if (!cc->args.is_static || strcmp(intercepted[i].family, "THROWN") != 0)
			strbuf_addf(&text, "%s=%s\n", option, intercepted[i].name);
	if (!cc->args.is_static)
		strbuf_addf(&text,
			    "%s=__tsan_*\n%s=Annotate*\n%s=GOMP_*\n%s=omp_*\n"
			    "%s=rt_effect_enter\n%s=rt_unhooked*\n",
			    option, option, option, option, option, option);
	strbuf_adds(&text, "--wrap=_tcase_add_test\n--wrap=_cmocka_run_group_tests\n");
	strbuf_addf(&text, "--defsym=%s=0\n", LINKED_BY_WRAPPER);
	ok = write_file(path, &text, err);
	strbuf_release(&text);
	return ok ? path : NULL;
}

/* An executable carries the runtime; a shared library finds it in the executable. */
static bool add_runtime(struct cc *cc, struct cc_words *words, struct err *err)
{
	const char *archive, *symbols;

	if (cc->args.is_shared) {
		cc_words_add(words, "-Wl,-z,undefs");
		return true;
	}
	archive = cc_own_file(
		cc, cc->args.is_static ? "libfermata-rt-static.a" : "libfermata-rt.a", err);
	symbols = archive ? write_symbol_options(cc, err) : NULL;
	if (!symbols)
		return false;
	cc_words_add(words, arena_printf(&cc->arena, "-Wl,@%s", symbols));
	cc_words_add(words, "-Wl,--push-state,--whole-archive");
	cc_words_add(words, archive);
	cc_words_add(words, "-Wl,--pop-state");
	cc_words_add(words, "-pthread");
	cc_words_add(words, "-ldl");
	return true;
}

static bool goes_to_link(const struct cc_arg *arg)
{
	switch (arg->role) {
	case CC_BOTH:
	case CC_LINK:
	case CC_LIBRARY:
	case CC_OUTPUT:
	case CC_DEBUG:
	case CC_OPTIMIZE:
	case CC_STATIC:
	case CC_SHARED:
	case CC_RELOCATABLE:
		return true;
	default:
		return false;
	}
}

static void add_user_arguments(const struct cc *cc, const struct cc_words *objects,
			       struct cc_words *words)
{
	const struct cc_args *args = &cc->args;
	size_t nth = 0;

	for (size_t i = 0; i < args->args.len; i++) {
		const struct cc_arg *arg = &args->args.items[i];

		if (arg->role == CC_INPUT) {
			const char *object = objects->items[nth++];

			cc_words_add(words, object ? object : arg->text);
		} else if (goes_to_link(arg)) {
			cc_words_add_arg(words, arg);
		}
	}
}

/* The map file the user asked for with -Wl,-Map=… or -Wl,-Map,…; NULL if none. */
static const char *user_map(struct cc *cc)
{
	const char *found = NULL;

	for (size_t i = 0; i < cc->args.args.len; i++) {
		const struct cc_arg *arg = &cc->args.args.items[i];
		const char *at = arg->role == CC_LINK ? strstr(arg->value, "-Map") : NULL;

		if (at && (at[4] == '=' || at[4] == ','))
			found = arena_strndup(&cc->arena, at + 5, strcspn(at + 5, ","));
	}
	return found;
}

/* A temporary object is called by its source; everything else by its own name. */
static const char *user_name(const struct cc *cc, const struct cc_words *objects, const char *name)
{
	size_t nth = 0;

	for (size_t i = 0; i < cc->args.args.len; i++) {
		const struct cc_arg *arg = &cc->args.args.items[i];
		const char *object = arg->role == CC_INPUT ? objects->items[nth++] : NULL;

		if (object && strcmp(object, name) == 0)
			return arg->text;
	}
	return name;
}

static bool find_foreign(const struct cc *cc, const struct cc_words *objects, const char *map,
			 struct strbuf *out, struct err *err)
{
	struct strbuf names = {0};
	bool ok = linkmap_foreign(map, &names, err);

	for (size_t at = 0; at < names.len; at += strlen(names.text + at) + 1) {
		strbuf_adds(out, user_name(cc, objects, names.text + at));
		strbuf_add(out, "", 1);
	}
	strbuf_release(&names);
	return ok;
}

/* Leaves the list of uninstrumented inputs in the result, for the tool to name them. */
static bool record_foreign(struct cc *cc, const struct cc_words *objects, const char *map,
			   struct err *err)
{
	const char *list = cc_temp_path(cc, "foreign", err);
	const char *output = cc->args.output ? cc->args.output : "a.out";
	struct cc_words words = {0};
	struct strbuf foreign = {0};
	int status = 0;
	bool ok = list && find_foreign(cc, objects, map, &foreign, err);

	if (ok && foreign.len) {
		cc_words_add(&words, "objcopy");
		cc_words_add(&words, "--add-section");
		cc_words_add(&words, arena_printf(&cc->arena, ".fermata.foreign=%s", list));
		cc_words_add(&words, output);
		ok = write_file(list, &foreign, err) && cc_run(&words, &status, err);
		if (ok && status != 0)
			ok = err_set(err, "objcopy could not mark %s", output);
	}
	vec_release(&words);
	strbuf_release(&foreign);
	return ok;
}

/* One link, with `more` before everything else: what it needs may be in any archive. */
static bool link_once(struct cc *cc, const struct cc_words *objects, const struct cc_words *more,
		      const char *map, int *status, struct err *err)
{
	struct cc_words words = {0};
	bool ok = true;

	vec_append(&words, cc->compiler.items, cc->compiler.len);
	vec_append(&words, more->items, more->len);
	add_user_arguments(cc, objects, &words);
	if (!cc->args.is_relocatable) {
		ok = add_runtime(cc, &words, err);
		/* Lazy binding would write to memory that the runtime watches. */
		cc_words_add(&words, "-Wl,-z,now");
		if (!user_map(cc))
			cc_words_add(&words, arena_printf(&cc->arena, "-Wl,-Map,%s", map));
	}
	ok = ok && cc_run(&words, status, err);
	vec_release(&words);
	return ok;
}

bool cc_link(struct cc *cc, const struct cc_words *objects, int *status, struct err *err)
{
	const char *map = user_map(cc);
	struct cc_words more = {0};
	bool needs_more = false, ok;

	if (!map)
		map = cc_temp_path(cc, "map", err);
	ok = map && link_once(cc, objects, &more, map, status, err);
	if (!ok || *status != 0 || cc->args.is_relocatable)
		return ok;
	ok = cc_stub_make(cc, cc->args.output ? cc->args.output : "a.out", map, &more,
			  &needs_more, err);
	if (ok && needs_more)
		ok = link_once(cc, objects, &more, map, status, err);
	if (ok && *status == 0)
		ok = record_foreign(cc, objects, map, err);
	vec_release(&more);
	return ok;
}
