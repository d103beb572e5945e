#include "vm/bifs/resource.h"

#include "vm/memory/region.h"

term resource_new(struct process *p, enum resource_kind kind, size_t bytes_len, void **object)
{
	struct resource *resource = region_zalloc(bytes_len);
	term ref = process_make_ref(p, 0);

	resource->kind = kind;
	resource->bytes_len = bytes_len;
	ref_table_add(&p->vm->resources, ref, resource);
	*object = resource;
	return ref;
}

void *resource_find(struct process *p, term t, enum resource_kind kind)
{
	struct resource *resource = term_is_ref(t) ? ref_table_find(&p->vm->resources, t) : NULL;

	return resource && resource->kind == kind ? resource : NULL;
}

void resource_free(struct process *p, term ref)
{
	struct resource *resource = ref_table_find(&p->vm->resources, ref);

	if (!resource)
		return;
	ref_table_remove(&p->vm->resources, ref);
	region_free(resource, resource->bytes_len);
}
