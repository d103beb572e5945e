#include "static/summary.h"

void summary_release(struct summary *s)
{
	vec_release(&s->reads);
	vec_release(&s->writes);
	vec_release(&s->pairs);
	vec_release(&s->creates);
	vec_release(&s->calls);
}

bool access_is_same(const struct access *a, const struct access *b)
{
	return a->site == b->site && a->table == b->table && a->key == b->key &&
	       a->flags == b->flags;
}

void summary_add_access(struct access_vec *list, const struct access *access)
{
	size_t variants = 0;

	for (size_t i = 0; i < list->len; i++) {
		if (access_is_same(&list->items[i], access))
			return;
		variants += list->items[i].site == access->site &&
			    list->items[i].table == access->table;
	}
	if (list->len < SUMMARY_MAX_ACCESSES && variants < SUMMARY_MAX_VARIANTS)
		*vec_push(list) = *access;
}

bool pair_is_same(const struct pair *a, const struct pair *b)
{
	return access_is_same(&a->read, &b->read) && a->write.site == b->write.site &&
	       a->write.table == b->write.table && a->write.flags == b->write.flags &&
	       (a->write.flags & ACCESS_OBJECT || a->write.key == b->write.key);
}

void summary_add_pair(struct summary *s, const struct pair *pair)
{
	for (size_t i = 0; i < s->pairs.len; i++)
		if (pair_is_same(&s->pairs.items[i], pair))
			return;
	if (s->pairs.len < SUMMARY_MAX_PAIRS)
		*vec_push(&s->pairs) = *pair;
}

void summary_add_create(struct summary *s, const struct create *create)
{
	for (size_t i = 0; i < s->creates.len; i++)
		if (s->creates.items[i].site == create->site &&
		    s->creates.items[i].name == create->name &&
		    s->creates.items[i].options == create->options)
			return;
	if (s->creates.len < SUMMARY_MAX_CREATES)
		*vec_push(&s->creates) = *create;
}
