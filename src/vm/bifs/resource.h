/* resource.h: objects with state that programs hold by reference: open files, read buffers, zlib
 * streams. They live in the region and are found through vm->resources. A restore puts them back,
 * so none of them may own anything outside the region (an open file is a path and a position, not
 * a descriptor). It is not known when a program drops the last copy of a reference, so they live
 * until they are closed or the run ends.
 */
#ifndef VM_BIFS_RESOURCE_H
#define VM_BIFS_RESOURCE_H

#include "vm/vm.h"

enum resource_kind { RESOURCE_FILE, RESOURCE_BUFFER, RESOURCE_ZLIB };

struct resource {
	enum resource_kind kind;
	size_t bytes_len; /* of the whole object */
};

/* A new object of so many bytes, zero but for its head; returns the reference. */
term resource_new(struct process *p, enum resource_kind kind, size_t bytes_len, void **object);
/* The object of this kind behind t, or NULL. */
void *resource_find(struct process *p, term t, enum resource_kind kind);
void resource_free(struct process *p, term ref);

#endif
