#include "vm/memory/ref_table.h"

#include "base/hash.h"
#include "vm/memory/region.h"

enum { BUCKETS_FIRST = 16 };

static struct ref_entry **bucket_of(const struct ref_table *table, uint64_t pid_value,
				    uint64_t counter)
{
	return &table->buckets[hash_combine(pid_value, counter) & (table->buckets_len - 1)];
}

/* The link that points to the entry of ref, or NULL. */
static struct ref_entry **find_link(const struct ref_table *table, term ref)
{
	struct ref_entry **link;

	if (!table->buckets_len)
		return NULL;
	link = bucket_of(table, ref_pid_value(ref), ref_counter(ref));
	while (*link && ((*link)->pid_value != ref_pid_value(ref) ||
			 (*link)->counter != ref_counter(ref)))
		link = &(*link)->next;
	return *link ? link : NULL;
}

void *ref_table_find(const struct ref_table *table, term ref)
{
	struct ref_entry **link = find_link(table, ref);

	return link ? (*link)->object : NULL;
}

static void grow(struct ref_table *table)
{
	struct ref_table old = *table;

	table->buckets_len = old.buckets_len ? old.buckets_len * 2 : BUCKETS_FIRST;
	table->buckets = region_zalloc(table->buckets_len * sizeof(*table->buckets));
	for (uint32_t i = 0; i < old.buckets_len; i++) {
		while (old.buckets[i]) {
			struct ref_entry *entry = old.buckets[i];
			struct ref_entry **link;

			link = bucket_of(table, entry->pid_value, entry->counter);
			old.buckets[i] = entry->next;
			entry->next = *link;
			*link = entry;
		}
	}
	region_free(old.buckets, old.buckets_len * sizeof(*old.buckets));
}

void ref_table_add(struct ref_table *table, term ref, void *object)
{
	struct ref_entry *entry = region_alloc(sizeof(*entry));
	struct ref_entry **link;

	if (table->len++ >= table->buckets_len)
		grow(table);
	link = bucket_of(table, ref_pid_value(ref), ref_counter(ref));
	*entry = (struct ref_entry){*link, ref_pid_value(ref), ref_counter(ref), object};
	*link = entry;
}

void ref_table_remove(struct ref_table *table, term ref)
{
	struct ref_entry **link = find_link(table, ref);
	struct ref_entry *entry;

	if (!link)
		return;
	entry = *link;
	*link = entry->next;
	table->len--;
	region_free(entry, sizeof(*entry));
}
