/* zlib: streams of the C library. Its allocation hooks put their memory into the region, so that a
 * restore puts streams back like everything else. */
#include <zlib.h>

#include "base/mem.h"
#include "vm/bifs/bif.h"
#include "vm/bifs/resource.h"
#include "vm/memory/region.h"
#include "vm/terms/view.h"

enum mode { MODE_NONE, MODE_DEFLATE, MODE_INFLATE };
enum at_end { AT_END_ERROR, AT_END_RESET, AT_END_CUT }; /* data behind the end of a stream */

struct stream {
	struct resource resource;
	enum mode mode;
	enum at_end at_end;
	bool has_ended;
	bool is_raw; /* neither header nor checksum: zlib:crc32/1 gives the checksum of the data */
	uint32_t crc;
	term owner;
	size_t buffer_size;
	uint8_t *input; /* waiting: input[input_start .. input_end), in the region */
	size_t input_cap;
	size_t input_start;
	size_t input_end;
	term stash; /* in stash_words, or TERM_NONE */
	term *stash_words;
	size_t stash_len;
	struct off_heap stash_off_heap;
	z_stream z;
};

/* ---- memory ---- */

static void *allocate(void *opaque, unsigned items, unsigned size)
{
	size_t bytes = (size_t)items * size + 16;
	size_t *block = region_zalloc(bytes);

	*block = bytes;
	return (uint8_t *)block + 16;
}

static void release(void *opaque, void *address)
{
	size_t *block = (size_t *)((uint8_t *)address - 16);

	region_free(block, *block);
}

/* ---- streams ---- */

static term raise_named(struct process *p, const char *name)
{
	return bif_error(p, atom_from_string(name));
}

/* The stream, or NULL with an exception. */
static struct stream *find_stream(struct process *p, term ref)
{
	struct stream *s = resource_find(p, ref, RESOURCE_ZLIB);

	if (!s) {
		if (term_is_ref(ref))
			raise_named(p, "not_initialized");
		else
			bif_badarg(p);
	} else if (s->owner != p->pid) {
		raise_named(p, "not_on_controlling_process");
		s = NULL;
	}
	return s;
}

static struct stream *find_in_mode(struct process *p, term ref, enum mode mode)
{
	struct stream *s = find_stream(p, ref);

	if (s && s->mode != mode) {
		raise_named(p, mode == MODE_NONE ? "already_initialized" : "not_initialized");
		s = NULL;
	}
	return s;
}

static term answer(struct process *p, int status)
{
	switch (status) {
	case Z_OK:
	case Z_STREAM_END:
		return A_ok;
	case Z_DATA_ERROR:
		return raise_named(p, "data_error");
	case Z_STREAM_ERROR:
		return raise_named(p, "stream_error");
	case Z_BUF_ERROR:
		return raise_named(p, "buf_error");
	case Z_MEM_ERROR:
		return raise_named(p, "enomem");
	default:
		return bif_badarg(p);
	}
}

/* A negative number of window bits stands for a raw stream. */
static void begin_mode(struct stream *s, enum mode mode, int bits)
{
	s->mode = mode;
	s->is_raw = bits < 0;
	s->crc = 0;
}

static void end_mode(struct stream *s)
{
	if (s->mode == MODE_DEFLATE)
		deflateEnd(&s->z);
	else if (s->mode == MODE_INFLATE)
		inflateEnd(&s->z);
	s->mode = MODE_NONE;
	s->has_ended = false;
	s->input_start = s->input_end = 0;
}

static void clear_stash(struct stream *s)
{
	off_heap_release(&s->stash_off_heap);
	region_free(s->stash_words, s->stash_len * sizeof(term));
	s->stash = TERM_NONE;
	s->stash_words = NULL;
	s->stash_len = 0;
	s->stash_off_heap = (struct off_heap){0};
}

term bif_zlib_open_nif_0(struct process *p, const term *args)
{
	struct stream *s;
	term ref = resource_new(p, RESOURCE_ZLIB, sizeof(*s), (void **)&s);

	s->owner = p->pid;
	s->buffer_size = 4000;
	s->z.zalloc = allocate;
	s->z.zfree = release;
	return ref;
}

term bif_zlib_close_nif_1(struct process *p, const term *args)
{
	struct stream *s = find_stream(p, args[0]);

	if (!s)
		return TERM_NONE;
	end_mode(s);
	clear_stash(s);
	region_free(s->input, s->input_cap);
	resource_free(p, args[0]);
	return A_ok;
}

term bif_zlib_set_controller_nif_2(struct process *p, const term *args)
{
	struct stream *s = find_stream(p, args[0]);

	if (!s)
		return TERM_NONE;
	if (!term_is_pid(args[1]))
		return bif_badarg(p);
	s->owner = args[1];
	return A_ok;
}

static bool read_int(term t, int *value)
{
	if (!term_is_small(t) || small_value(t) < INT32_MIN || small_value(t) > INT32_MAX)
		return false;
	*value = (int)small_value(t);
	return true;
}

term bif_zlib_deflateInit_nif_6(struct process *p, const term *args)
{
	struct stream *s = find_in_mode(p, args[0], MODE_NONE);
	int numbers[5], status;

	if (!s)
		return TERM_NONE;
	for (int i = 0; i < 5; i++)
		if (!read_int(args[1 + i], &numbers[i]))
			return bif_badarg(p);
	status = deflateInit2(&s->z, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
	if (status == Z_OK)
		begin_mode(s, MODE_DEFLATE, numbers[2]);
	return answer(p, status);
}

term bif_zlib_inflateInit_nif_3(struct process *p, const term *args)
{
	struct stream *s = find_in_mode(p, args[0], MODE_NONE);
	int bits, at_end, status;

	if (!s)
		return TERM_NONE;
	if (!read_int(args[1], &bits) || !read_int(args[2], &at_end) || at_end < AT_END_ERROR ||
	    at_end > AT_END_CUT)
		return bif_badarg(p);
	status = inflateInit2(&s->z, bits);
	if (status == Z_OK) {
		begin_mode(s, MODE_INFLATE, bits);
		s->at_end = (enum at_end)at_end;
	}
	return answer(p, status);
}

static term reset(struct process *p, term ref, enum mode mode)
{
	struct stream *s = find_in_mode(p, ref, mode);

	if (!s)
		return TERM_NONE;
	s->input_start = s->input_end = 0;
	s->has_ended = false;
	s->crc = 0;
	return answer(p, mode == MODE_DEFLATE ? deflateReset(&s->z) : inflateReset(&s->z));
}

term bif_zlib_deflateReset_nif_1(struct process *p, const term *args)
{
	return reset(p, args[0], MODE_DEFLATE);
}

term bif_zlib_inflateReset_nif_1(struct process *p, const term *args)
{
	return reset(p, args[0], MODE_INFLATE);
}

/* The stream was flushed before, so input and output are empty here. */
term bif_zlib_deflateParams_nif_3(struct process *p, const term *args)
{
	struct stream *s = find_in_mode(p, args[0], MODE_DEFLATE);
	int level, strategy;
	uint8_t none[1];

	if (!s)
		return TERM_NONE;
	if (!read_int(args[1], &level) || !read_int(args[2], &strategy))
		return bif_badarg(p);
	s->z.next_in = s->z.next_out = none;
	s->z.avail_in = s->z.avail_out = 0;
	deflateParams(&s->z, level, strategy);
	s->z.next_in = s->z.next_out = NULL;
	return A_ok;
}

/* It is an error when input is left, or when deflateEnd finds output that was not read. */
term bif_zlib_deflateEnd_nif_1(struct process *p, const term *args)
{
	struct stream *s = find_in_mode(p, args[0], MODE_DEFLATE);
	bool has_input;
	int status;

	if (!s)
		return TERM_NONE;
	has_input = s->input_end > s->input_start;
	status = deflateEnd(&s->z);
	s->mode = MODE_NONE;
	s->input_start = s->input_end = 0;
	return answer(p, has_input ? Z_DATA_ERROR : status);
}

term bif_zlib_inflateEnd_nif_1(struct process *p, const term *args)
{
	struct stream *s = find_in_mode(p, args[0], MODE_INFLATE);
	bool is_complete;

	if (!s)
		return TERM_NONE;
	is_complete = s->has_ended && s->input_end == s->input_start;
	end_mode(s);
	return answer(p, is_complete ? Z_OK : Z_DATA_ERROR);
}

/* ---- dictionaries, settings ---- */

static term set_dictionary(struct process *p, const term *args, enum mode mode)
{
	struct stream *s = find_in_mode(p, args[0], mode);
	struct view view;
	int status;

	if (!s)
		return TERM_NONE;
	if (!view_open_iolist(&view, args[1]))
		return bif_badarg(p);
	status = (mode == MODE_DEFLATE ? deflateSetDictionary : inflateSetDictionary)(
		&s->z, view.bytes, (uInt)view.len);
	view_close(&view);
	if (status == Z_OK && mode == MODE_DEFLATE)
		return heap_unsigned(p, s->z.adler);
	return answer(p, status);
}

term bif_zlib_deflateSetDictionary_nif_2(struct process *p, const term *args)
{
	return set_dictionary(p, args, MODE_DEFLATE);
}

term bif_zlib_inflateSetDictionary_nif_2(struct process *p, const term *args)
{
	return set_dictionary(p, args, MODE_INFLATE);
}

term bif_zlib_inflateGetDictionary_nif_1(struct process *p, const term *args)
{
	struct stream *s = find_in_mode(p, args[0], MODE_INFLATE);
	uint8_t dictionary[32768];
	uInt len = sizeof(dictionary);

	if (!s)
		return TERM_NONE;
	if (inflateGetDictionary(&s->z, dictionary, &len) != Z_OK)
		return raise_named(p, "stream_error");
	return binary_from(p, dictionary, len);
}

term bif_zlib_setBufSize_nif_2(struct process *p, const term *args)
{
	struct stream *s = find_stream(p, args[0]);

	if (!s)
		return TERM_NONE;
	if (!term_is_small(args[1]) || small_value(args[1]) < 1)
		return bif_badarg(p);
	s->buffer_size = (size_t)small_value(args[1]);
	return A_ok;
}

term bif_zlib_crc32_nif_1(struct process *p, const term *args)
{
	struct stream *s = find_stream(p, args[0]);

	if (s && s->mode == MODE_NONE)
		return raise_named(p, "not_initialized");
	return s ? small_make(s->crc) : TERM_NONE;
}

term bif_zlib_getBufSize_nif_1(struct process *p, const term *args)
{
	struct stream *s = find_stream(p, args[0]);

	return s ? heap_unsigned(p, s->buffer_size) : TERM_NONE;
}

/* ---- input waiting, output put aside ---- */

term bif_zlib_enqueue_nif_2(struct process *p, const term *args)
{
	struct stream *s = find_stream(p, args[0]);
	struct view view;

	if (!s)
		return TERM_NONE;
	if (!view_open_iolist(&view, args[1]))
		return bif_badarg(p);
	if (s->input_start) {
		memmove(s->input, s->input + s->input_start, s->input_end - s->input_start);
		s->input_end -= s->input_start;
		s->input_start = 0;
	}
	if (s->input_cap - s->input_end < view.len) {
		size_t cap = (s->input_end + view.len) * 2;

		s->input = region_grow(s->input, s->input_cap, cap);
		s->input_cap = cap;
	}
	if (view.len)
		memcpy(s->input + s->input_end, view.bytes, view.len);
	s->input_end += view.len;
	view_close(&view);
	return A_ok;
}

term bif_zlib_setStash_nif_2(struct process *p, const term *args)
{
	struct stream *s = find_stream(p, args[0]);
	term *hp;

	if (!s)
		return TERM_NONE;
	clear_stash(s);
	s->stash_len = term_copy_words(args[1]);
	s->stash_words = region_alloc(s->stash_len * sizeof(term));
	hp = s->stash_words;
	s->stash = term_copy(args[1], &hp, &s->stash_off_heap);
	return A_ok;
}

term bif_zlib_getStash_nif_1(struct process *p, const term *args)
{
	struct stream *s = find_stream(p, args[0]);

	if (!s)
		return TERM_NONE;
	if (s->stash == TERM_NONE)
		return A_empty_word;
	return heap_tuple2(p, A_ok, heap_import(p, s->stash));
}

term bif_zlib_clearStash_nif_1(struct process *p, const term *args)
{
	struct stream *s = find_stream(p, args[0]);

	if (!s)
		return TERM_NONE;
	clear_stash(s);
	return A_ok;
}

/* ---- the work ---- */

/* The data are the input of deflate and the output of inflate, each up to its next byte. */
static void add_to_crc(struct stream *s, const uint8_t *in, const uint8_t *out)
{
	const uint8_t *data = s->mode == MODE_DEFLATE ? in : out;
	const uint8_t *end = s->mode == MODE_DEFLATE ? s->z.next_in : s->z.next_out;

	if (s->is_raw)
		s->crc = (uint32_t)crc32(s->crc, data, (uInt)(end - data));
}

/* As much as fits into out; *produced says how much that was. */
static int run_stream(struct stream *s, size_t chunk, int flush, uint8_t *out, size_t room,
		      size_t *produced)
{
	uint8_t none[1];
	int status;

	s->z.next_out = out;
	s->z.avail_out = (uInt)room;
	do {
		size_t left = s->input_end - s->input_start, n = left < chunk ? left : chunk;
		uint8_t *next_out = s->z.next_out;

		s->z.next_in = s->input ? s->input + s->input_start : none;
		s->z.avail_in = (uInt)n;
		status = s->mode == MODE_DEFLATE ? deflate(&s->z, n < left ? Z_NO_FLUSH : flush)
						 : inflate(&s->z, flush);
		add_to_crc(s, s->z.next_in - (n - s->z.avail_in), next_out);
		s->input_start += n - s->z.avail_in;
	} while (status == Z_OK && s->z.avail_out && s->input_start < s->input_end);
	*produced = room - s->z.avail_out;
	s->z.next_in = s->z.next_out = NULL; /* no pointers out of the region may remain */
	return status;
}

/* Data behind the end: an error, another stream, or nothing. */
static int pass_end(struct stream *s)
{
	if (!s->has_ended || s->input_start == s->input_end)
		return Z_OK;
	if (s->at_end == AT_END_ERROR)
		return Z_DATA_ERROR;
	if (s->at_end == AT_END_CUT) {
		s->input_start = s->input_end = 0;
		return Z_OK;
	}
	s->has_ended = false;
	return inflateReset(&s->z);
}

static term describe_run(struct process *p, struct stream *s, int status, const uint8_t *out,
			 size_t produced, size_t room)
{
	bool has_more = s->input_start < s->input_end || produced == room;
	term output = NIL;

	if (produced)
		output = heap_cons(p, binary_from(p, out, produced), NIL);
	if (status == Z_NEED_DICT)
		return heap_tuple3(p, A_need_dictionary, heap_unsigned(p, s->z.adler), output);
	if (status < 0 && status != Z_BUF_ERROR)
		return answer(p, status);
	if (status == Z_STREAM_END)
		s->has_ended = s->mode == MODE_INFLATE;
	return heap_tuple2(p, has_more ? A_continue : A_finished, output);
}

static term run_chunk(struct process *p, const term *args, enum mode mode)
{
	struct stream *s = find_in_mode(p, args[0], mode);
	int chunk, room, flush, status;
	size_t produced = 0;
	uint8_t *out;
	term result;

	if (!s)
		return TERM_NONE;
	if (!read_int(args[1], &chunk) || !read_int(args[2], &room) || !read_int(args[3], &flush) ||
	    chunk < 1 || room < 1 || room > 1 << 26 || flush < 0 || flush > Z_TREES)
		return bif_badarg(p);
	status = pass_end(s);
	if (status != Z_OK)
		return answer(p, status);
	if (s->has_ended) /* and nothing is left */
		return heap_tuple2(p, A_finished, NIL);
	out = mem_alloc((size_t)room);
	status = run_stream(s, (size_t)chunk, flush, out, (size_t)room, &produced);
	result = describe_run(p, s, status, out, produced, (size_t)room);
	mem_free(out);
	return result;
}

term bif_zlib_deflate_nif_4(struct process *p, const term *args)
{
	return run_chunk(p, args, MODE_DEFLATE);
}

term bif_zlib_inflate_nif_4(struct process *p, const term *args)
{
	return run_chunk(p, args, MODE_INFLATE);
}
