/* random_bytes.h: random bytes for a process, from the seed of the search. The bytes depend on
 * the process and on how often it has drawn, not on the schedule. */
#ifndef VM_BIFS_RANDOM_BYTES_H
#define VM_BIFS_RANDOM_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct process;

void random_bytes_draw(struct process *p, uint8_t *out, size_t len);

#endif
