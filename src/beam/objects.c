#include "beam/objects.h"

#include "base/hash.h"
#include "base/mem.h"
#include "beam/atom.h"
#include "beam/compare.h"
#include "beam/ets.h"
#include "beam/print.h"

enum { WORDS_LIMIT = 60 };

static char **remember(struct objects *objects, uint64_t object)
{
	bool is_new;
	uint64_t *index = map_put(&objects->texts, object, &is_new);

	if (!is_new)
		return NULL;
	*index = objects->words.len;
	return vec_push(&objects->words);
}

static void add_term(struct strbuf *text, term t)
{
	print_term_limited(t, text, WORDS_LIMIT);
}

uint64_t object_name(struct objects *objects, term name)
{
	uint64_t object = OBJECT(OBJECT_NAME, term_hash(name) | 1);
	char **words = remember(objects, object);

	if (words) {
		struct strbuf text = {0};

		strbuf_adds(&text, "name ");
		add_term(&text, name);
		*words = strbuf_detach(&text);
	}
	return object;
}

static uint64_t hash_table(struct vm *vm, term id)
{
	const struct ets_table *table = ets_find_table(vm, id);

	if (table && table->is_named)
		return term_hash(table->name);
	if (table)
		return hash_combine(table->id[1], table->id[2]);
	return term_hash(id);
}

static void add_table(struct strbuf *text, struct vm *vm, term id)
{
	const struct ets_table *table = ets_find_table(vm, id);

	strbuf_adds(text, "table ");
	add_term(text, table ? table->name : id);
}

uint64_t object_table(struct objects *objects, struct vm *vm, term id)
{
	uint64_t object = OBJECT(OBJECT_TABLE, hash_table(vm, id));
	char **words = remember(objects, object);

	if (words) {
		struct strbuf text = {0};

		add_table(&text, vm, id);
		*words = strbuf_detach(&text);
	}
	return object;
}

uint64_t object_key(struct objects *objects, struct vm *vm, term id, term key)
{
	uint64_t object = OBJECT(OBJECT_KEY, hash_combine(hash_table(vm, id), term_hash(key)));
	char **words = remember(objects, object);

	if (words) {
		struct strbuf text = {0};

		add_table(&text, vm, id);
		strbuf_adds(&text, " key ");
		add_term(&text, key);
		*words = strbuf_detach(&text);
	}
	return object;
}

uint64_t object_term(struct objects *objects, const char *what, term key, term index)
{
	uint64_t hash = hash_combine(hash_bytes(what, strlen(what)), term_hash(key));
	uint64_t object;
	char **words;

	if (index != TERM_NONE)
		hash = hash_combine(hash, term_hash(index));
	object = OBJECT(OBJECT_TERM, hash);
	words = remember(objects, object);
	if (words) {
		struct strbuf text = {0};

		strbuf_addf(&text, "%s ", what);
		add_term(&text, key);
		if (index != TERM_NONE) {
			strbuf_addc(&text, ' ');
			add_term(&text, index);
		}
		*words = strbuf_detach(&text);
	}
	return object;
}

uint64_t object_relations(term pid)
{
	return OBJECT(OBJECT_TERM, hash_combine(pid_value(pid), 0));
}

uint64_t object_monitor(uint64_t pid_value, uint64_t counter)
{
	return OBJECT(OBJECT_TERM, hash_combine(hash_combine(pid_value, counter), 1));
}

uint64_t object_reference(uint64_t pid_value, uint64_t counter)
{
	return OBJECT(OBJECT_TERM, hash_combine(pid_value, counter));
}

bool object_words(const struct objects *objects, uint64_t object, struct strbuf *out)
{
	const uint64_t *index = map_get(&objects->texts, object);

	if (!index)
		return false;
	strbuf_adds(out, objects->words.items[*index]);
	return true;
}

void objects_release(struct objects *objects)
{
	for (size_t i = 0; i < objects->words.len; i++)
		mem_free(objects->words.items[i]);
	vec_release(&objects->words);
	map_release(&objects->texts);
}
