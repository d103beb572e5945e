#include "prop/beam_look.h"

#include <string.h>

#include "vm/memory/heap.h"
#include "vm/terms/atom.h"

/* Values of the ?FORALLs around the commands: how many are generated, and how many different ones
 * are kept. Ranks of properties: fermata_prop:mark/3. */
enum { VARIANTS_TRIED = 24, VARIANTS_KEPT = 8, RANK_LAST = 6 };

/* One property that is about commands, or not. */
struct marked {
	int64_t rank; /* 0: it is not */
	uint32_t how; /* in the terms of the search */
};

struct search {
	struct beam_driver *driver;
	struct beam_terms terms;
	struct strbuf why; /* of each property that is not about commands */
};

/* The property with the nth values of the ?FORALLs around its commands. */
static enum prop_answer mark(struct search *s, term property, int64_t nth, struct marked *marked,
			     struct err *err)
{
	term args[3] = {s->driver->module, property, small_make(nth)}, value;
	struct strbuf why = {0};
	enum prop_answer answer;

	*marked = (struct marked){0};
	beam_driver_begin(s->driver);
	answer = beam_driver_ask(s->driver, "mark", args, 3, &value, &why, err);
	if (answer == PROP_YES) {
		marked->rank = small_value(tuple_element(value, 0));
		marked->how = beam_terms_put(&s->terms, tuple_element(value, 1));
	} else if (why.len) {
		strbuf_addf(&s->why, "%s%s", s->why.len ? "; " : "", strbuf_text(&why));
	}
	strbuf_release(&why);
	return answer;
}

/* The same with the first values that the property does not discard. */
static enum prop_answer mark_first(struct search *s, term property, struct marked *marked,
				   struct err *err)
{
	enum prop_answer answer = PROP_NO;
	size_t before = s->why.len;

	for (int64_t n = 1; n <= VARIANTS_TRIED && answer == PROP_NO && s->why.len == before; n++)
		answer = mark(s, property, n, marked, err);
	if (answer == PROP_NO && s->why.len == before)
		strbuf_addf(&s->why, "%s%s:%s/0 discards all its values", before ? "; " : "",
			    atom_text(s->driver->module), atom_text(property));
	return answer;
}

/* Does the property run commands? It may refuse lists that are short or long (?IMPLIES). */
static enum prop_answer runs(struct search *s, uint32_t how, struct err *err)
{
	static const int64_t sizes[] = {6, 12, 3};
	enum prop_answer answer = PROP_NO;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && answer == PROP_NO; i++) {
		struct process *p = beam_driver_begin(s->driver);
		term args[3] = {s->driver->module, beam_terms_get(&s->terms, how, p),
				small_make(sizes[i])};

		answer = beam_driver_ask(s->driver, "runs", args, 3, NULL, NULL, err);
	}
	return answer;
}

/* One set-up per value of the ?FORALLs around the commands, of a few that are generated. */
static bool keep_variants(struct search *s, term property, struct beam_look *look, struct err *err)
{
	for (int64_t n = 1; n <= VARIANTS_TRIED && look->hows.ends.len < VARIANTS_KEPT; n++) {
		struct marked marked;
		const uint8_t *bytes;
		size_t len;

		switch (mark(s, property, n, &marked, err)) {
		case PROP_FAILED:
			return false;
		case PROP_YES:
			bytes = beam_terms_bytes(&s->terms, marked.how, &len);
			beam_terms_put_bytes(&look->hows, bytes, len);
			break;
		default:
			break;
		}
	}
	return true;
}

/* The set-ups of the best property that runs its commands. Without any the properties stay. */
static bool search_properties(struct search *s, struct beam_look *look, struct err *err)
{
	VEC(struct marked) all = {0};
	bool ok = true, any = false;

	for (size_t i = 0; i < look->properties.len && ok; i++)
		ok = mark_first(s, look->properties.items[i], vec_push(&all), err) != PROP_FAILED;
	for (int64_t rank = 1; rank <= RANK_LAST && ok; rank++)
		for (size_t i = 0; i < all.len && ok && !look->hows.ends.len; i++) {
			enum prop_answer answer;

			if (all.items[i].rank != rank)
				continue;
			any = true;
			answer = runs(s, all.items[i].how, err);
			ok = answer != PROP_FAILED;
			if (answer == PROP_YES)
				ok = keep_variants(s, look->properties.items[i], look, err);
		}
	if (ok && !any)
		ok = err_set(err, "set-up not found: %s. Export setup/0, or name the property "
			     "(fermata prop %s:PROPERTY), which is then run unchanged",
			     strbuf_text(&s->why), atom_text(s->driver->module));
	vec_release(&all);
	return ok;
}

bool beam_look(struct beam_look *look, struct beam_driver *d, struct err *err)
{
	struct search search = {.driver = d};
	const char *kind;
	bool ok = true;
	term found;

	*look = (struct beam_look){0};
	beam_driver_begin(d);
	if (beam_driver_ask(d, "look", &d->module, 1, &found, NULL, err) != PROP_YES)
		return false;
	kind = atom_text(tuple_element(found, 0));
	found = tuple_element(found, 1);
	if (strcmp(kind, "statem") == 0) {
		beam_terms_put(&look->hows, found);
		return true;
	}
	for (; term_is_cons(found); found = cons_tail(found))
		*vec_push(&look->properties) = cons_head(found);
	if (strcmp(kind, "search") == 0)
		ok = search_properties(&search, look, err);
	beam_terms_release(&search.terms);
	strbuf_release(&search.why);
	return ok;
}

bool beam_look_is_sequential(struct beam_driver *d, term property)
{
	term args[2] = {d->module, property};
	struct err err = {0};

	beam_driver_begin(d);
	return beam_driver_ask(d, "is_sequential", args, 2, NULL, NULL, &err) == PROP_YES;
}

void beam_look_release(struct beam_look *look)
{
	beam_terms_release(&look->hows);
	vec_release(&look->properties);
}
