/* hashmap.h: large maps, which are hash tries. Only tmap.c uses it; tmap.h describes the layout. */
#ifndef VM_TERMS_HASHMAP_H
#define VM_TERMS_HASHMAP_H

#include "vm/terms/tmap.h"

size_t hashmap_size(term map);
term hashmap_get(term map, term key);
term hashmap_put(struct process *p, term map, term key, term value);
term hashmap_remove(struct process *p, term map, term key);

/* From n > MAP_FLAT_MAX pairs with different keys; at most hashmap_words(n) words. */
term hashmap_build(term **hp, const term *pairs, size_t n);
size_t hashmap_words(size_t n);

void hashmap_iter_start(struct tmap_iter *it);
bool hashmap_iter_next(struct tmap_iter *it, term *key, term *value);

#endif
