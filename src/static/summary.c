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
	for (size_t i = 0; i < list->len; i++)
		if (access_is_same(&list->items[i], access))
			return;
	if (list->len < SUMMARY_MAX_ACCESSES)
		*vec_push(list) = *access;
}

void summary_add_pair(struct summary *s, const struct pair *pair)
{
	for (size_t i = 0; i < s->pairs.len; i++)
		if (access_is_same(&s->pairs.items[i].read, &pair->read) &&
		    access_is_same(&s->pairs.items[i].write, &pair->write))
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
