#include "vm/ets/ets_object.h"

#include "vm/memory/region.h"

static size_t object_bytes(size_t words)
{
	return sizeof(struct ets_object) + words * sizeof(term);
}

struct ets_object *ets_object_new(term tuple)
{
	size_t len = tuple_size(tuple), words = TUPLE_WORDS(len);
	const term *elements = tuple_elements(tuple);
	struct ets_object *object;
	term *hp;

	for (size_t i = 0; i < len; i++)
		if (!term_is_immediate(elements[i]))
			words += term_copy_words(elements[i]);
	object = region_alloc(object_bytes(words));
	*object = (struct ets_object){.words_len = (uint32_t)words};
	object->words[0] = header_make(KIND_TUPLE, len);
	hp = object->words + TUPLE_WORDS(len);
	for (size_t i = 0; i < len; i++)
		object->words[1 + i] = term_is_immediate(elements[i])
					       ? elements[i]
					       : term_copy(elements[i], &hp, &object->off_heap);
	return object;
}

void ets_object_free(struct ets_object *object)
{
	off_heap_release(&object->off_heap);
	region_free(object, object_bytes(object->words_len));
}

term ets_object_import(struct process *p, const struct ets_object *object)
{
	term *box;

	if (object->words_len != 1 + header_words(object->words[0]))
		return heap_import(p, ets_object_tuple(object));
	box = heap_alloc(p, object->words_len);
	memcpy(box, object->words, object->words_len * sizeof(term));
	return boxed_make(box);
}
