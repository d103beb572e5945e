/* crypto: hashes, MACs and random bytes, below the stock crypto.beam.
 *
 * Random bytes derive from the place of the process in the spawn tree and a counter of its own, so
 * they are the same in every run and independent draws commute. */
#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "vm/bifs/bif.h"
#include "vm/bifs/digest.h"
#include "vm/bifs/random_bytes.h"
#include "vm/terms/big.h"
#include "vm/terms/tmap.h"
#include "vm/terms/view.h"
#include "vm/vm.h"

/* {badarg, {File, Line}, Text}, as the library's wrapper raises it; the line is not known here. */
static term refuse(struct process *p, const char *file, const char *text)
{
	term place = heap_tuple2(p, heap_string(p, file), small_make(0));

	return bif_error(p, heap_tuple3(p, A_badarg, place, heap_string(p, text)));
}

static enum digest_kind find_digest(term name)
{
	return term_is_atom(name) ? digest_find(atom_text(name)) : DIGEST_COUNT;
}

term bif_crypto_info_lib_0(struct process *p, const term *args)
{
	static const char name[] = "fermata", text[] = "fermata stand-in";

	return heap_cons(p, heap_tuple3(p, binary_from(p, name, sizeof(name) - 1), small_make(1),
					binary_from(p, text, sizeof(text) - 1)), NIL);
}

/* ---- hashes ---- */

term bif_crypto_hash_info_nif_1(struct process *p, const term *args)
{
	enum digest_kind kind = find_digest(args[0]);
	term pairs[6];

	if (kind == DIGEST_COUNT)
		return bif_badarg(p);
	pairs[0] = A_block_size;
	pairs[1] = small_make((int64_t)digest_block(kind));
	pairs[2] = A_size;
	pairs[3] = small_make((int64_t)digest_size(kind));
	pairs[4] = A_type;
	pairs[5] = small_make(digest_nid(kind));
	return tmap_from_pairs(p, pairs, 3);
}

term bif_crypto_hash_nif_2(struct process *p, const term *args)
{
	enum digest_kind kind = find_digest(args[0]);
	uint8_t out[DIGEST_MAX_SIZE];
	struct digest digest;
	struct view view;

	if (kind == DIGEST_COUNT)
		return refuse(p, "hash.c", "Bad digest type");
	if (!view_open_iolist(&view, args[1]))
		return refuse(p, "hash.c", "Not iolist");
	digest_init(&digest, kind);
	digest_update(&digest, view.bytes, view.len);
	digest_final(&digest, out);
	view_close(&view);
	return binary_from(p, out, digest_size(kind));
}

/* A state is a binary of the program, so its contents may be anything. */
static bool is_sound(const struct digest *digest)
{
	return digest->kind < DIGEST_COUNT && digest->filled < digest_block(digest->kind);
}

static bool read_state(void *state, size_t size, term t)
{
	struct view view;
	bool ok;

	if (!view_open(&view, t))
		return false;
	ok = view.len == size;
	if (ok)
		memcpy(state, view.bytes, size);
	view_close(&view);
	return ok;
}

term bif_crypto_hash_init_nif_1(struct process *p, const term *args)
{
	enum digest_kind kind = find_digest(args[0]);
	struct digest digest;

	if (kind == DIGEST_COUNT)
		return refuse(p, "hash.c", "Bad digest type");
	digest_init(&digest, kind);
	return binary_from(p, &digest, sizeof(digest));
}

term bif_crypto_hash_update_nif_2(struct process *p, const term *args)
{
	struct digest digest;
	struct view view;

	if (!read_state(&digest, sizeof(digest), args[0]) || !is_sound(&digest))
		return refuse(p, "hash.c", "Bad state");
	if (!view_open_iolist(&view, args[1]))
		return refuse(p, "hash.c", "Bad data");
	digest_update(&digest, view.bytes, view.len);
	view_close(&view);
	return binary_from(p, &digest, sizeof(digest));
}

term bif_crypto_hash_final_nif_1(struct process *p, const term *args)
{
	uint8_t out[DIGEST_MAX_SIZE];
	struct digest digest;

	if (!read_state(&digest, sizeof(digest), args[0]) || !is_sound(&digest))
		return refuse(p, "hash.c", "Bad state");
	digest_final(&digest, out);
	return binary_from(p, out, digest_size(digest.kind));
}

/* ---- MACs: HMAC only ---- */

/* Starts a MAC from (Type, SubType, Key); false after raising. */
static bool start_mac(struct process *p, struct hmac *hmac, const term *args)
{
	enum digest_kind kind = find_digest(args[1]);
	struct view key;

	if (args[0] != A_hmac) {
		if (args[0] == A_cmac || args[0] == A_poly1305)
			bif_unsupported(p, "crypto:mac(%s, ...)", atom_text(args[0]));
		else
			refuse(p, "mac.c", "Unknown mac algorithm");
		return false;
	}
	if (kind == DIGEST_COUNT) {
		refuse(p, "mac.c", "Bad digest algorithm for HMAC");
		return false;
	}
	if (!view_open_iolist(&key, args[2])) {
		refuse(p, "mac.c", "Bad key");
		return false;
	}
	hmac_init(hmac, kind, key.bytes, key.len);
	view_close(&key);
	return true;
}

static term finish_mac(struct process *p, struct hmac *hmac)
{
	uint8_t out[DIGEST_MAX_SIZE];
	enum digest_kind kind = hmac->outer.kind;

	hmac_final(hmac, out);
	return binary_from(p, out, digest_size(kind));
}

term bif_crypto_mac_nif_4(struct process *p, const term *args)
{
	struct hmac hmac;
	struct view view;

	if (!view_open_iolist(&view, args[3]))
		return refuse(p, "mac.c", "Bad text");
	if (!start_mac(p, &hmac, args)) {
		view_close(&view);
		return TERM_NONE;
	}
	hmac_update(&hmac, view.bytes, view.len);
	view_close(&view);
	return finish_mac(p, &hmac);
}

static bool read_mac(struct hmac *hmac, term t)
{
	return read_state(hmac, sizeof(*hmac), t) && is_sound(&hmac->inner) &&
	       is_sound(&hmac->outer) && hmac->inner.kind == hmac->outer.kind;
}

term bif_crypto_mac_init_nif_3(struct process *p, const term *args)
{
	struct hmac hmac;

	return start_mac(p, &hmac, args) ? binary_from(p, &hmac, sizeof(hmac)) : TERM_NONE;
}

term bif_crypto_mac_update_nif_2(struct process *p, const term *args)
{
	struct hmac hmac;
	struct view view;

	if (!read_mac(&hmac, args[0]))
		return refuse(p, "mac.c", "Bad ref");
	if (!view_open_iolist(&view, args[1]))
		return refuse(p, "mac.c", "Bad text");
	hmac_update(&hmac, view.bytes, view.len);
	view_close(&view);
	return binary_from(p, &hmac, sizeof(hmac));
}

term bif_crypto_mac_final_nif_1(struct process *p, const term *args)
{
	struct hmac hmac;

	return read_mac(&hmac, args[0]) ? finish_mac(p, &hmac) : refuse(p, "mac.c", "Bad ref");
}

/* PBKDF2 (RFC 8018, 5.2) with HMAC. */
static void derive_key(const struct hmac *start, const struct view *salt, int64_t rounds,
		       uint8_t *out, size_t len)
{
	size_t size = digest_size(start->inner.kind);

	for (uint32_t i = 1; len; i++) {
		uint8_t block[DIGEST_MAX_SIZE], sum[DIGEST_MAX_SIZE];
		uint8_t index[4] = {(uint8_t)(i >> 24), (uint8_t)(i >> 16), (uint8_t)(i >> 8),
				    (uint8_t)i};
		size_t n = len < size ? len : size;
		struct hmac hmac = *start;

		hmac_update(&hmac, salt->bytes, salt->len);
		hmac_update(&hmac, index, sizeof(index));
		hmac_final(&hmac, block);
		memcpy(sum, block, size);
		for (int64_t round = 1; round < rounds; round++) {
			hmac = *start;
			hmac_update(&hmac, block, size);
			hmac_final(&hmac, block);
			for (size_t k = 0; k < size; k++)
				sum[k] ^= block[k];
		}
		memcpy(out, sum, n);
		out += n;
		len -= n;
	}
}

term bif_crypto_pbkdf2_hmac_nif_5(struct process *p, const term *args)
{
	enum digest_kind kind = find_digest(args[0]);
	struct view password, salt;
	struct hmac start;
	uint8_t *out;
	term result;

	if (kind == DIGEST_COUNT || !term_is_small(args[3]) || small_value(args[3]) < 1 ||
	    !term_is_small(args[4]) || small_value(args[4]) < 1 ||
	    small_value(args[4]) > 1 << 20 || !view_open(&password, args[1]))
		return bif_badarg(p);
	if (!view_open(&salt, args[2])) {
		view_close(&password);
		return bif_badarg(p);
	}
	hmac_init(&start, kind, password.bytes, password.len);
	result = binary_new(p, (size_t)small_value(args[4]), &out);
	derive_key(&start, &salt, small_value(args[3]), out, (size_t)small_value(args[4]));
	view_close(&password);
	view_close(&salt);
	return result;
}

/* ---- bytes ---- */

/* Opens two binaries of the same size; when it returns true, the caller must close both. */
static bool open_equal(struct view *a, struct view *b, const term *args)
{
	if (!view_open_iolist(a, args[0]))
		return false;
	if (view_open_iolist(b, args[1])) {
		if (a->len == b->len)
			return true;
		view_close(b);
	}
	view_close(a);
	return false;
}

term bif_crypto_hash_equals_nif_2(struct process *p, const term *args)
{
	struct view a, b;
	bool same;

	if (!open_equal(&a, &b, args))
		return bif_badarg(p);
	same = !a.len || memcmp(a.bytes, b.bytes, a.len) == 0;
	view_close(&a);
	view_close(&b);
	return atom_from_bool(same);
}

term bif_crypto_do_exor_2(struct process *p, const term *args)
{
	struct view a, b;
	uint8_t *out;
	term result;

	if (!open_equal(&a, &b, args))
		return bif_badarg(p);
	result = binary_new(p, a.len, &out);
	for (size_t i = 0; i < a.len; i++)
		out[i] = a.bytes[i] ^ b.bytes[i];
	view_close(&a);
	view_close(&b);
	return result;
}

void random_bytes_draw(struct process *p, uint8_t *out, size_t len)
{
	uint64_t place = hash_combine(pid_value(p->pid), p->unique_count++);
	struct rng rng = rng_seeded(hash_combine(p->vm->seed, place));

	p->vm->relied_on |= RELIED_ON_CHANCE;
	for (size_t i = 0; i < len; i += 8) {
		uint64_t word_ = rng_next(&rng);

		memcpy(out + i, &word_, len - i < 8 ? len - i : 8);
	}
}

term bif_crypto_strong_rand_bytes_nif_1(struct process *p, const term *args)
{
	uint8_t *out;
	term result;

	if (!term_is_small(args[0]) || small_value(args[0]) < 0 || small_value(args[0]) > INT32_MAX)
		return bif_badarg(p);
	result = binary_new(p, (size_t)small_value(args[0]), &out);
	random_bytes_draw(p, out, (size_t)small_value(args[0]));
	return result;
}

/* A number below Range, both as big-endian bytes. */
term bif_crypto_strong_rand_range_nif_1(struct process *p, const term *args)
{
	struct view view;
	uint8_t *drawn, *out;
	term range, value, result;
	size_t len;

	if (!view_open(&view, args[0]) || view.len > 4096)
		return bif_badarg(p);
	len = view.len;
	range = integer_from_bytes(p, view.bytes, len, false, false);
	view_close(&view);
	if (range == small_make(0))
		return bif_badarg(p);
	/* Eight more bytes than needed make all remainders nearly equally likely. */
	drawn = mem_alloc(len + 8);
	random_bytes_draw(p, drawn, len + 8);
	value = integer_from_bytes(p, drawn, len + 8, false, false);
	mem_free(drawn);
	value = integer_rem(p, value, range);
	result = binary_new(p, len, &out);
	integer_to_bytes(value, out, len, false);
	return result;
}

/* The random numbers do not depend on the seed that the program gives. */
term bif_crypto_rand_seed_nif_1(struct process *p, const term *args)
{
	return term_is_binary(args[0]) ? (term)A_ok : bif_badarg(p);
}
