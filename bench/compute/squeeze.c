/*
 * The shape of a compressor: main puts blocks of a text into a queue; two workers take them, look for matches by
 * a hash table of their own, in the text that all share and in a copy of the block, and put what they wrote
 * into the common output, under a lock. The argument is the size of the text in kB.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 << 10, HASH_BITS = 14, MATCH_MIN = 4, WORKERS = 2, BLOCKS_MAX = 1024 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int put, taken, closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static unsigned char *text;
static size_t text_len;
static unsigned char *packed[BLOCKS_MAX];
static size_t packed_len[BLOCKS_MAX];
static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t word_at(const unsigned char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static uint64_t words_at(const unsigned char *at)
{
	uint64_t words;

	memcpy(&words, at, sizeof(words));
	return words;
}

static size_t match_len(const unsigned char *a, const unsigned char *b, const unsigned char *end)
{
	const unsigned char *start = b;

	for (; b + 8 <= end; a += 8, b += 8) {
		uint64_t differ = words_at(a) ^ words_at(b);

		if (differ)
			return (size_t)(b - start) + (size_t)__builtin_ctzll(differ) / 8;
	}
	while (b < end && *a == *b)
		a++, b++;
	return (size_t)(b - start);
}

static unsigned char *put_number(unsigned char *out, size_t number)
{
	for (; number >= 128; number >>= 7)
		*out++ = (unsigned char)(number | 128);
	*out++ = (unsigned char)number;
	return out;
}

/* Literals and matches, as pairs of numbers and bytes. Returns the length. */
static size_t pack(const unsigned char *in, size_t len, uint32_t *table, unsigned char *out)
{
	const unsigned char *end = in + len, *literals = in;
	unsigned char *start = out;

	memset(table, 0, sizeof(*table) << HASH_BITS);
	for (const unsigned char *at = in; at + 8 <= end;) {
		uint32_t word = word_at(at), slot = word * 2654435761u >> (32 - HASH_BITS);
		const unsigned char *before = in + table[slot];

		table[slot] = (uint32_t)(at - in);
		if (before >= at || word_at(before) != word) {
			at++;
			continue;
		}
		size_t match = match_len(before + MATCH_MIN, at + MATCH_MIN, end) + MATCH_MIN;

		out = put_number(out, (size_t)(at - literals));
		memcpy(out, literals, (size_t)(at - literals));
		out += at - literals;
		out = put_number(put_number(out, match), (size_t)(at - before));
		at += match;
		literals = at;
	}
	out = put_number(out, (size_t)(end - literals));
	memcpy(out, literals, (size_t)(end - literals));
	return (size_t)(out - start) + (size_t)(end - literals);
}

static int take_block(void)
{
	int block = -1;

	pthread_mutex_lock(&queue.lock);
	while (queue.taken == queue.put && !queue.closed)
		pthread_cond_wait(&queue.changed, &queue.lock);
	if (queue.taken < queue.put)
		block = queue.taken++;
	pthread_mutex_unlock(&queue.lock);
	return block;
}

static void *work(void *arg)
{
	uint32_t *table = malloc(sizeof(*table) << HASH_BITS);
	unsigned char *copy = malloc(BLOCK), *out = malloc(2 * BLOCK);

	for (int block; (block = take_block()) >= 0;) {
		const unsigned char *in = text + (size_t)block * BLOCK;
		size_t len = text_len - (size_t)block * BLOCK;

		if (len > BLOCK)
			len = BLOCK;
		if (block % 2)
			in = memcpy(copy, in, len);
		len = pack(in, len, table, out);
		pthread_mutex_lock(&output_lock);
		packed[block] = memcpy(malloc(len), out, len);
		packed_len[block] = len;
		pthread_mutex_unlock(&output_lock);
	}
	free(table);
	free(copy);
	free(out);
	return arg;
}

/* Words that come again, as in a text. */
static void make_text(size_t len)
{
	uint32_t seed = 1;

	text = malloc(len + 16);
	for (size_t i = 0; i < len;) {
		uint32_t word = (seed = seed * 1103515245 + 12345) >> 18;

		word = word * word >> 16;
		for (uint32_t n = 3 + word % 6; n-- && i < len; word = word * 7 + 3)
			text[i++] = (unsigned char)('a' + word % 26);
		if (i < len)
			text[i++] = ' ';
	}
	text_len = len;
}

int main(int argc, char **argv)
{
	pthread_t workers[WORKERS];
	size_t total = 0;
	uint32_t sum = 0;
	int blocks;

	make_text((argc > 1 ? (size_t)atoi(argv[1]) : 256) << 10);
	blocks = (int)((text_len + BLOCK - 1) / BLOCK);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	for (int i = 0; i < blocks; i++) {
		pthread_mutex_lock(&queue.lock);
		queue.put++;
		pthread_cond_signal(&queue.changed);
		pthread_mutex_unlock(&queue.lock);
	}
	pthread_mutex_lock(&queue.lock);
	queue.closed = 1;
	pthread_cond_broadcast(&queue.changed);
	pthread_mutex_unlock(&queue.lock);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	for (int i = 0; i < blocks; i++) {
		for (size_t at = 0; at < packed_len[i]; at++)
			sum = sum * 31 + packed[i][at];
		total += packed_len[i];
		free(packed[i]);
	}
	free(text);
	printf("%zu bytes, sum %08x\n", total, (unsigned)sum);
	return 0;
}
