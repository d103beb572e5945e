/* md5.h: MD5, for erlang:md5 and module_info(md5). The context is plain memory: it may live in a
 * binary of the program. */
#ifndef VM_TERMS_MD5_H
#define VM_TERMS_MD5_H

#include <stddef.h>
#include <stdint.h>

struct md5 {
	uint32_t state[4];
	uint64_t len; /* bytes so far */
	uint8_t block[64];
};

void md5_init(struct md5 *md5);
void md5_update(struct md5 *md5, const void *bytes, size_t len);
void md5_final(struct md5 *md5, uint8_t digest[16]);

#endif
