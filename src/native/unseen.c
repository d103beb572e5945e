#include "native/unseen.h"

#include <stdio.h>
#include <string.h>

#include "native/demangle.h"
#include "native/elf.h"
#include "native/functions.h"
#include "native/linkmap.h"
#include "native/uses.h"

enum { NAMED_MAX = 6 }; /* of one sort; the rest is counted */

struct list {
	struct strbuf *out;
	const char *words; /* before the first */
	uint32_t len;
};

/* Begins one more item of a list; false if there are enough of them. */
static bool list_next(struct list *list)
{
	if (list->len++ >= NAMED_MAX)
		return false;
	if (list->len > 1)
		strbuf_adds(list->out, ", ");
	else
		strbuf_addf(list->out, "%s%s", list->out->len ? "; " : "", list->words);
	return true;
}

static void list_end(const struct list *list)
{
	if (list->len > NAMED_MAX)
		strbuf_addf(list->out, " and %u more", list->len - NAMED_MAX);
}

static const char *place_or(const char *place)
{
	return *place && *place != ':' ? place : "place unknown";
}

static void add_use(struct strbuf *out, const struct use *use)
{
	demangle_add(out, use->name, strlen(use->name));
	strbuf_addf(out, " (%s)", place_or(use->place));
}

static void name_facts(const struct uses *uses, char kind, const char *words, struct strbuf *out)
{
	struct list list = {.out = out, .words = words};

	for (size_t i = 0; i < uses->items.len; i++) {
		const struct use *one = &uses->items.items[i];

		if (one->kind == kind && list_next(&list))
			add_use(out, one);
	}
	list_end(&list);
}

/* Names that no stand-in covers: a program linked without the wrapper, or another machine. */
static void name_uncovered(const struct uses *uses, struct list *list)
{
	for (size_t i = 0; i < uses->items.len; i++) {
		const struct use *one = &uses->items.items[i];
		const struct function *function;

		if ((one->kind != 'C' && one->kind != 'A') || uses_defines(uses, one->name) ||
		    uses_covers(uses, one->name))
			continue;
		function = function_find(one->name);
		if (function_needs_stub(function) && list_next(list))
			add_use(list->out, one);
	}
}

static void name_functions(const struct uses *uses, const struct channel *channel,
			   struct strbuf *out,
			   void (*describe)(void *, uint64_t, struct strbuf *), void *ctx)
{
	struct list list = {.out = out, .words = "calls of functions that are not modelled: "};

	for (uint32_t i = 0; i < channel->unknown_len; i++) {
		const char *name = channel->unknown[i].name;

		if (uses_defines(uses, name) || !function_needs_stub(function_find(name)) ||
		    !list_next(&list))
			continue;
		demangle_add(out, name, sizeof(channel->unknown[i].name));
		strbuf_adds(out, " (");
		describe(ctx, channel->unknown[i].site, out);
		strbuf_adds(out, ")");
	}
	name_uncovered(uses, &list);
	list_end(&list);
}

static void name_uncontrolled(const struct channel *channel, struct strbuf *out,
			      void (*describe)(void *, uint64_t, struct strbuf *), void *ctx)
{
	if (!channel->uncontrolled[0])
		return;
	strbuf_addf(out, "%s%.*s", out->len ? "; " : "", (int)sizeof(channel->uncontrolled),
		    channel->uncontrolled);
	if (channel->uncontrolled_site) {
		strbuf_adds(out, " (");
		describe(ctx, channel->uncontrolled_site, out);
		strbuf_adds(out, ")");
	}
	strbuf_adds(out, " is not controlled");
}

/* The program and every library that the wrapper made carry facts about themselves. */
static void read_modules(const struct channel *channel, const char *path, struct uses *uses,
			 struct strbuf *out)
{
	struct list code = {.out = out, .words = "uninstrumented code in "};

	for (uint32_t m = 0; m < channel->modules_len; m++) {
		const char *file = channel->modules[m].path[0] ? channel->modules[m].path : path;
		struct strbuf foreign = {0};

		if (channel->modules[m].path[0] && linkmap_is_modelled(file))
			continue;
		elf_add_foreign_code(file, &foreign);
		if (foreign.len && list_next(&code))
			strbuf_adds(out, strbuf_text(&foreign));
		uses_add(uses, file);
		if (uses_missing(file) && list_next(&code))
			strbuf_addf(out, "%s (%zu objects without a list of their calls)", file,
				    uses_missing(file));
		strbuf_release(&foreign);
	}
	list_end(&code);
}

void unseen_describe(const struct channel *channel, const char *path, struct strbuf *out,
		     void (*describe)(void *ctx, uint64_t site, struct strbuf *out), void *ctx)
{
	struct uses uses = {0};

	read_modules(channel, path, &uses, out);
	name_facts(&uses, 'I', "inline assembler: ", out);
	name_facts(&uses, 'S', "instructions without hooks: ", out);
	name_facts(&uses, 'N', "functions without hooks: ", out);
	name_functions(&uses, channel, out, describe, ctx);
	name_uncontrolled(channel, out, describe, ctx);
	uses_release(&uses);
}
