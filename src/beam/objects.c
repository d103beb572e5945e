#include "beam/objects.h"

#include <math.h>

#include "base/hash.h"
#include "base/mem.h"
#include "vm/ets/ets.h"
#include "vm/terms/atom.h"
#include "vm/terms/compare.h"
#include "vm/terms/etf.h"
#include "vm/terms/etf_write.h"
#include "vm/terms/print.h"

enum { WORDS_LIMIT = 60, FIRST_HASH = 16 /* below: objects with a name of their own */,
       VALUE_WORDS = 64 /* larger values are not kept */ };

/* The sorts of objects that share a class, and the word for each in reports. */
enum object_sort { SORT_NAME, SORT_TABLE, SORT_KEY, SORT_PERSISTENT, SORT_CELL, SORT_VARIABLE,
		   SORT_MONITOR, SORT_REFERENCE, SORT_CHANNEL, SORT_LINK, SORT_VALUE };

static const char *const sort_words[] = {
	[SORT_NAME] = "name ", [SORT_TABLE] = "table ", [SORT_KEY] = " key ",
	[SORT_PERSISTENT] = "persistent term ", [SORT_CELL] = "cell ",
	[SORT_VARIABLE] = "environment variable ", [SORT_MONITOR] = "a monitor",
	[SORT_REFERENCE] = "a reference", [SORT_CHANNEL] = "a channel",
	[SORT_LINK] = "a link",
	[SORT_VALUE] = "value ",
};

void objects_learn(struct objects *objects, enum objects_learned what)
{
	if ((objects->learned & what) || objects->learns_no_more)
		return;
	objects->learned |= what;
	objects->must_relearn = true;
}

/* ---- full names ---- */

/* Of the term's external form; not 0. */
static uint64_t digest_of(term t)
{
	struct bytes bytes = {0};
	uint64_t digest;

	etf_write(t, etf_style_default(), &bytes);
	digest = hash_bytes(bytes.items, bytes.len);
	mem_free(bytes.items);
	return digest ? digest : 1;
}

static bool is_same(const struct object_name *known, const struct object_name *name)
{
	if (known->sort != name->sort || known->a != name->a || known->b != name->b)
		return false;
	if (known->digest)
		return digest_of(name->key) == known->digest;
	if (known->is_vague || known->key == name->key)
		return true;
	return name->key != TERM_NONE && known->key != TERM_NONE &&
	       term_equal(known->key, name->key);
}

/* Values are kept as long as the search, so a program that stores large ones would need their room
 * twice. Two values with the same digest have the same hash as well, which is part of the object: 120
 * bits in all. */
static void keep_digest(struct object_name *name, term value)
{
	name->digest = digest_of(value);
	mem_free(name->words_of_key);
	name->words_of_key = NULL;
	name->key = TERM_NONE;
}

/* A copy outside the region, which outlives the run. */
static void keep_key(struct object_name *name)
{
	struct bytes bytes = {0};
	struct off_heap none = {0};
	struct etf_size size;
	term original = name->key, *hp;

	if (original == TERM_NONE || term_is_immediate(original))
		return;
	etf_write(original, etf_style_default(), &bytes);
	if (etf_measure_literal(bytes.items, bytes.len, &size)) {
		hp = name->words_of_key = mem_alloc((size.words + 1) * sizeof(term));
		name->key = etf_build(bytes.items, bytes.len, &hp, &none, true);
	}
	name->is_vague = !name->words_of_key || name->key == TERM_NONE ||
			 !term_equal(name->key, original);
	mem_free(bytes.items);
	if (name->sort == SORT_VALUE && !name->is_vague && size.words > VALUE_WORDS)
		keep_digest(name, original);
}

/* The object of this class with this full name; *is_new when it had none yet. */
static uint64_t intern(struct objects *objects, enum object_class class, struct object_name name,
		       struct object_name **made)
{
	uint64_t hash = hash_combine(hash_combine(name.a, name.b), name.sort), object, *index;
	bool is_new;

	if (name.key != TERM_NONE)
		hash = hash_combine(hash, term_hash(name.key));
	for (;; hash++) {
		if (OBJECT_NAME_OF(hash) < FIRST_HASH)
			hash += FIRST_HASH;
		object = OBJECT(class, hash);
		index = map_put(&objects->index, object, &is_new);
		if (is_new || is_same(&objects->names.items[*index], &name))
			break;
	}
	*made = NULL;
	if (!is_new)
		return object;
	*index = objects->names.len;
	keep_key(&name);
	*vec_push(&objects->names) = name;
	*made = vec_last(&objects->names);
	return object;
}

static void add_term(struct strbuf *text, term t)
{
	if (t != TERM_NONE)
		print_term_limited(t, text, WORDS_LIMIT);
}

/* As intern, with words made of the sort and the key. */
static uint64_t intern_plain(struct objects *objects, enum object_class class,
			     enum object_sort sort, uint64_t a, uint64_t b, term key)
{
	struct object_name *made, name = {.sort = sort, .a = a, .b = b, .key = key};
	uint64_t object = intern(objects, class, name, &made);

	if (made) {
		struct strbuf text = {0};

		strbuf_adds(&text, sort_words[sort]);
		add_term(&text, key);
		if (sort == SORT_CELL)
			strbuf_addf(&text, " %lu", (unsigned long)b);
		made->text = strbuf_detach(&text);
	}
	return object;
}

uint64_t object_name(struct objects *objects, term name)
{
	return intern_plain(objects, OBJECT_NAME, SORT_NAME, 0, 0, name);
}

uint64_t object_persistent(struct objects *objects, term key)
{
	return intern_plain(objects, OBJECT_TERM, SORT_PERSISTENT, 0, 0, key);
}

uint64_t object_cell(struct objects *objects, term array, term index)
{
	return intern_plain(objects, OBJECT_TERM, SORT_CELL, 0,
			    term_is_small(index) ? (uint64_t)small_value(index) : 0, array);
}

uint64_t object_variable(struct objects *objects, term name)
{
	return intern_plain(objects, OBJECT_TERM, SORT_VARIABLE, 0, 0, name);
}

uint64_t object_monitor(struct objects *objects, uint64_t pid_value, uint64_t counter)
{
	return intern_plain(objects, OBJECT_TERM, SORT_MONITOR, pid_value, counter, TERM_NONE);
}

uint64_t object_reference(struct objects *objects, uint64_t pid_value, uint64_t counter)
{
	return intern_plain(objects, OBJECT_TERM, SORT_REFERENCE, pid_value, counter, TERM_NONE);
}

uint64_t object_name_of(struct objects *objects, term pid)
{
	return object_reference(objects, pid_value(pid), 0); /* references count from 1 */
}

uint64_t object_channel(struct objects *objects, term from, term to)
{
	return intern_plain(objects, OBJECT_FD, SORT_CHANNEL, pid_value(from), pid_value(to),
			    TERM_NONE);
}

uint64_t object_link(struct objects *objects, term one, term other)
{
	uint64_t a = pid_value(one), b = pid_value(other);

	return intern_plain(objects, OBJECT_TERM, SORT_LINK, a < b ? a : b, a < b ? b : a,
			    TERM_NONE);
}

uint32_t object_value(struct objects *objects, term value)
{
	struct object_name *made;
	uint64_t object = intern(objects, OBJECT_NONE,
				 (struct object_name){.sort = SORT_VALUE, .key = value}, &made);

	objects->values_len += made != NULL;
	return (uint32_t)*map_get(&objects->index, object) + 1;
}

/* ---- tables ---- */

static uint64_t intern_table(struct objects *objects, term id, term name)
{
	struct object_name *made, full = {.sort = SORT_TABLE, .key = id};
	struct strbuf text = {0};
	uint64_t object;

	if (term_is_ref(id))
		full = (struct object_name){.sort = SORT_TABLE, .a = ref_pid_value(id),
					    .b = ref_counter(id), .key = TERM_NONE};
	object = intern(objects, OBJECT_TABLE, full, &made);
	if (made) {
		strbuf_adds(&text, sort_words[SORT_TABLE]);
		add_term(&text, name);
		made->text = strbuf_detach(&text);
	}
	return object;
}

/* A named table has also a reference, by which it is still asked for when it is gone: then the
 * name it had is remembered. */
uint64_t object_table(struct objects *objects, struct vm *vm, term id)
{
	const struct ets_table *table = ets_find_table(vm, id);
	uint64_t object, *known;
	bool is_new;

	if (table && table->is_named) {
		object = intern_table(objects, table->name, table->name);
		known = map_put(&objects->tables, hash_combine(table->id[1], table->id[2]),
				&is_new);
		*known = object;
		return object;
	}
	if (table)
		return intern_table(objects, boxed_make(table->id), table->name);
	if (term_is_ref(id)) {
		known = map_get(&objects->tables, hash_combine(ref_pid_value(id), ref_counter(id)));
		if (known)
			return *known;
	}
	return intern_table(objects, id, id);
}

/* A float or a big integer anywhere in it: what may be equal to another number. (A small integer
 * may be, too, but only to a float, and one of the two is enough.) */
static bool has_odd_number(term key)
{
	if (term_is_float(key) || term_is_big(key) || term_is_map(key))
		return true;
	for (; term_is_cons(key); key = cons_tail(key))
		if (has_odd_number(cons_head(key)))
			return true;
	for (size_t i = 0; term_is_tuple(key) && i < tuple_size(key); i++)
		if (has_odd_number(tuple_element(key, i)))
			return true;
	return false;
}

/* The one of several equal keys of an ordered_set that stands for all; TERM_NONE: not known. */
static term find_standard(term key)
{
	if (term_is_float(key) && fabs(float_value(key)) < (double)((uint64_t)1 << 53) &&
	    float_value(key) == floor(float_value(key)))
		return small_make((int64_t)float_value(key));
	if (term_is_float(key) && fabs(float_value(key)) < (double)((uint64_t)1 << 53))
		return key; /* no integer is equal to it */
	return has_odd_number(key) ? TERM_NONE : key;
}

uint64_t object_key(struct objects *objects, struct vm *vm, term id, term key)
{
	const struct ets_table *table = ets_find_shape(vm, id);
	uint64_t whole = object_table(objects, vm, id), object;
	struct object_name *made;

	if (table && table->type == ETS_ORDERED_SET)
		key = find_standard(key);
	if (key == TERM_NONE)
		return 0;
	object = intern(objects, OBJECT_KEY,
			(struct object_name){.sort = SORT_KEY, .a = whole, .key = key}, &made);
	if (made) {
		struct strbuf text = {0};

		object_words(objects, whole, &text);
		strbuf_adds(&text, sort_words[SORT_KEY]);
		add_term(&text, key);
		made->text = strbuf_detach(&text);
	}
	return object;
}

/* ---- words ---- */

bool object_words(const struct objects *objects, uint64_t object, struct strbuf *out)
{
	const uint64_t *index = map_get(&objects->index, object);

	if (!index || !objects->names.items[*index].text)
		return false;
	strbuf_adds(out, objects->names.items[*index].text);
	return true;
}

void objects_release(struct objects *objects)
{
	for (size_t i = 0; i < objects->names.len; i++) {
		mem_free(objects->names.items[i].words_of_key);
		mem_free(objects->names.items[i].text);
	}
	vec_release(&objects->names);
	map_release(&objects->index);
	map_release(&objects->tables);
}
