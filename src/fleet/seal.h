/* seal.h: proof that a text comes from a process that knows the secret of the fleet (HMAC-SHA256).
 *
 * A worker runs programs that it was sent, so it must know who sent them. Coordinator and workers
 * have a secret in common, which never travels. Three kinds of text are sealed: the job (its record
 * has the hash of each file of the program), each part, and each answer. A seal names the kind and
 * the search, so that a text of one place is not accepted in another.
 */
#ifndef FLEET_SEAL_H
#define FLEET_SEAL_H

#include "base/bytes.h"
#include "base/err.h"

enum { SEAL_HEX = 64, SHA256_HEX = 64 };

struct secret {
	char bytes[4096];
	size_t len;
};

/* From the file, or if `path` is NULL from FERMATA_FLEET_SECRET. False with err. */
bool secret_read(struct secret *secret, const char *path, struct err *err);

/* Fields are sealed with their lengths, so that "ab" "c" is not "a" "bc". */
struct seal_field {
	const void *at;
	size_t len;
};

void seal_make(const struct secret *secret, const char *kind, const struct seal_field *fields,
	       size_t fields_len, char seal[SEAL_HEX + 1]);

/* Takes the same time wherever the first difference is. */
bool seal_is_equal(const char *a, const char *b);

void sha256_hex(const void *bytes, size_t len, char hex[SHA256_HEX + 1]);

#endif
