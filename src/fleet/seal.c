#include "fleet/seal.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "vm/bifs/digest.h"

enum { SECRET_MIN = 16, SHA256_SIZE = 32 };

bool secret_read(struct secret *secret, const char *path, struct err *err)
{
	const char *variable = getenv("FERMATA_FLEET_SECRET");
	struct strbuf text = {0};
	bool ok;

	if (!path && !variable)
		return err_set(err, "a fleet needs a secret: --secret-file FILE or FERMATA_FLEET_SECRET "
				    "(head -c 32 /dev/urandom | base64 > FILE)");
	if (path && !file_read(path, &text, err))
		return false;
	if (!path)
		strbuf_adds(&text, variable);
	while (text.len && (text.text[text.len - 1] == '\n' || text.text[text.len - 1] == '\r'))
		text.len--;
	ok = text.len >= SECRET_MIN && text.len <= sizeof(secret->bytes);
	if (ok) {
		memcpy(secret->bytes, text.text, text.len);
		secret->len = text.len;
	} else {
		err_set(err, "the secret of a fleet must have between %d and %zu characters", SECRET_MIN,
			sizeof(secret->bytes));
	}
	strbuf_release(&text);
	return ok;
}

static void write_hex(const uint8_t *bytes, char *hex)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < SHA256_SIZE; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	hex[2 * SHA256_SIZE] = '\0';
}

static void add(struct hmac *hmac, const void *at, size_t len)
{
	uint64_t number = len;

	hmac_update(hmac, &number, sizeof(number));
	hmac_update(hmac, at, len);
}

void seal_make(const struct secret *secret, const char *kind, const struct seal_field *fields,
	       size_t fields_len, char seal[SEAL_HEX + 1])
{
	uint8_t bytes[SHA256_SIZE];
	struct hmac hmac;

	hmac_init(&hmac, DIGEST_sha256, secret->bytes, secret->len);
	add(&hmac, kind, strlen(kind));
	for (size_t i = 0; i < fields_len; i++)
		add(&hmac, fields[i].at, fields[i].len);
	hmac_final(&hmac, bytes);
	write_hex(bytes, seal);
}

bool seal_is_equal(const char *a, const char *b)
{
	unsigned char different = 0;

	if (strlen(a) != SEAL_HEX || strlen(b) != SEAL_HEX)
		return false;
	for (size_t i = 0; i < SEAL_HEX; i++)
		different |= (unsigned char)(a[i] ^ b[i]);
	return !different;
}

void sha256_hex(const void *bytes, size_t len, char hex[SHA256_HEX + 1])
{
	uint8_t out[SHA256_SIZE];
	struct digest digest;

	digest_init(&digest, DIGEST_sha256);
	digest_update(&digest, bytes, len);
	digest_final(&digest, out);
	write_hex(out, hex);
}
