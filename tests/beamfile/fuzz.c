/* The .beam reader under attack: truncations at every length, every byte changed, numbers made
 * huge, random mutations with a fixed seed. Each must give success or one line, quickly and with
 * little memory; run it with the sanitizers on. A file that still reads is disassembled, too.
 *
 *     fuzz FILE [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/bug.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "beamfile/beamfile.h"
#include "beamfile/dis.h"
#include "container.h"

enum { MAX_RSS_KB = 1500 << 10, MAX_EDITS = 6, SEED = 1 };

static size_t good, bad;

static void attack(const uint8_t *bytes, size_t len)
{
	uint8_t *exact = mem_dup(bytes, len); /* so that the sanitizer sees the end */
	struct err err = {0};
	struct strbuf text = {0};
	struct beamfile bf;

	if (beamfile_read(&bf, exact, len, &err)) {
		good++;
		dis_module(&text, &bf);
		strbuf_release(&text);
		beamfile_release(&bf);
	} else {
		bad++;
		BUG_ON(!err.message[0] || strchr(err.message, '\n'), "message: %s", err.message);
	}
	mem_free(exact);
}

static void truncate_everywhere(const struct byte_vec *file)
{
	for (size_t len = 0; len <= file->len; len++)
		attack(file->items, len);
}

static void change_every_byte(struct byte_vec *file)
{
	static const uint8_t masks[] = {0x01, 0x08, 0x18, 0x80, 0xff};

	for (size_t i = 0; i < file->len; i++)
		for (size_t m = 0; m < sizeof(masks); m++) {
			file->items[i] ^= masks[m];
			attack(file->items, file->len);
			file->items[i] ^= masks[m];
		}
}

static void make_numbers_huge(struct byte_vec *file)
{
	static const uint32_t values[] = {0, 0x7fffffff, 0xffffffff, 0x80000000, 0x10000};

	for (size_t i = 0; i + 4 <= file->len; i++)
		for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
			uint8_t saved[4];

			memcpy(saved, file->items + i, 4);
			for (int k = 0; k < 4; k++)
				file->items[i + (size_t)k] = (uint8_t)(values[v] >> (24 - 8 * k));
			attack(file->items, file->len);
			memcpy(file->items + i, saved, 4);
		}
}

static void mutate(const struct byte_vec *file, size_t rounds)
{
	struct rng rng = rng_seeded(SEED);
	uint8_t *copy = mem_alloc(file->len);

	for (size_t round = 0; round < rounds; round++) {
		size_t edits = 1 + rng_below(&rng, MAX_EDITS);

		memcpy(copy, file->items, file->len);
		while (edits-- > 0) {
			size_t to = rng_below(&rng, file->len);
			size_t from = rng_below(&rng, file->len);
			size_t most = file->len - (to > from ? to : from);
			size_t len = 1 + rng_below(&rng, most < 16 ? most : 16);

			if (rng_below(&rng, 2))
				copy[to] = (uint8_t)rng_next(&rng);
			else
				memmove(copy + to, copy + from, len);
		}
		attack(copy, file->len);
	}
	mem_free(copy);
}

/* Compressed literals hide from byte edits: unpack them first (as OTP 28 writes them). */
static struct byte_vec unpack_literals(const struct byte_vec *file)
{
	struct beamfile bf;
	struct byte_vec body = {0}, out;

	BUG_ON(!beamfile_read(&bf, file->items, file->len, NULL), "the seed does not read");
	push_u32(&body, 0);
	push_u32(&body, (uint32_t)bf.literals_len);
	for (size_t i = 0; i < bf.literals_len; i++) {
		push_u32(&body, (uint32_t)bf.literals[i].len);
		vec_append(&body, bf.literals[i].bytes, bf.literals[i].len);
	}
	out = chunk_replace(file, "LitT", &body);
	vec_release(&body);
	beamfile_release(&bf);
	return out;
}

int main(int argc, char **argv)
{
	struct byte_vec packed = file_bytes(argv[1]);
	struct byte_vec file = unpack_literals(&packed);
	struct byte_vec gzipped = gzip_bytes(&packed);
	size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 20000;
	struct rusage usage;

	attack(file.items, file.len);
	BUG_ON(good != 1, "the seed does not read");
	truncate_everywhere(&packed);
	truncate_everywhere(&gzipped);
	change_every_byte(&gzipped);
	change_every_byte(&file);
	make_numbers_huge(&file);
	mutate(&file, rounds);
	vec_release(&packed);
	vec_release(&file);
	vec_release(&gzipped);
	getrusage(RUSAGE_SELF, &usage);
	printf("%zu read, %zu refused, %ld kB\n", good, bad, usage.ru_maxrss);
	return usage.ru_maxrss > MAX_RSS_KB;
}
