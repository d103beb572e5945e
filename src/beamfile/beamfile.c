#include "beamfile/beamfile.h"

#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "beamfile/chunks.h"
#include "beamfile/code.h"
#include "beamfile/inflate.h"

/* The chunks that matter, in the order in which they must be read. */
enum chunk { ATOMS, ATOMS_OLD, STRINGS, IMPORTS, EXPORTS, LOCALS, FUNS, LITERALS, LINES,
	     ATTRIBUTES, COMPILE_INFO, CODE, CHUNKS };

static const struct {
	const char *id;
	bool required;
	bool (*read)(struct beamfile *bf, struct cursor in, struct err *err);
} chunk_table[CHUNKS] = {
	[ATOMS] = {"AtU8", false, chunk_atoms_utf8},
	[ATOMS_OLD] = {"Atom", false, chunk_atoms_latin1},
	[STRINGS] = {"StrT", false, chunk_strings},
	[IMPORTS] = {"ImpT", true, chunk_imports},
	[EXPORTS] = {"ExpT", true, chunk_exports},
	[LOCALS] = {"LocT", false, chunk_locals},
	[FUNS] = {"FunT", false, chunk_funs},
	[LITERALS] = {"LitT", false, chunk_literals},
	[LINES] = {"Line", false, chunk_lines},
	[ATTRIBUTES] = {"Attr", false, chunk_attributes},
	[COMPILE_INFO] = {"CInf", false, chunk_compile_info},
	[CODE] = {"Code", true, code_decode},
};

static void note_chunk(struct cursor *chunks, const uint8_t *id, struct cursor body)
{
	for (int i = 0; i < CHUNKS; i++)
		if (memcmp(id, chunk_table[i].id, 4) == 0 && !chunks[i].at)
			chunks[i] = body;
}

/* Finds the chunks of a "FOR1" container. Unknown ones are passed over. */
static bool find_chunks(struct cursor in, struct cursor *chunks, struct err *err)
{
	const uint8_t *form = cursor_take(&in, 4);
	uint32_t size = cursor_u32(&in);
	const uint8_t *type = cursor_take(&in, 4);

	if (!type || memcmp(form, "FOR1", 4) != 0 || memcmp(type, "BEAM", 4) != 0)
		return err_set(err, "not a BEAM file");
	if (size < 4 || size - 4 > cursor_left(&in))
		return err_set(err, "truncated: %zu bytes where %u are announced",
			       cursor_left(&in) + 4, size);
	in.end = in.at + (size - 4);
	while (cursor_left(&in) > 0) {
		const uint8_t *id = cursor_take(&in, 4);
		uint32_t len = cursor_u32(&in);
		const uint8_t *body = cursor_take(&in, len);
		size_t padding = (4 - len % 4) % 4;

		if (!body)
			return err_set(err, "a chunk goes beyond the end of the file");
		note_chunk(chunks, id, cursor_over(body, len));
		cursor_take(&in, padding < cursor_left(&in) ? padding : cursor_left(&in));
	}
	return true;
}

/* The lines of a file without a Line chunk: item 0 only. */
static void set_no_lines(struct beamfile *bf)
{
	if (bf->lines_len)
		return;
	bf->lines_len = 1;
	bf->lines = arena_zalloc(&bf->arena, sizeof(*bf->lines));
	bf->files_len = 1;
	bf->files = arena_zalloc(&bf->arena, sizeof(*bf->files));
	bf->files[0] = arena_printf(&bf->arena, "%s.erl", beamfile_module(bf));
}

static bool read_chunks(struct beamfile *bf, const struct cursor *chunks, struct err *err)
{
	for (int i = 0; i < CHUNKS; i++) {
		if (i == ATOMS_OLD && bf->atoms_len)
			continue;
		if (i == STRINGS && !bf->atoms_len)
			return err_set(err, "has no AtU8 chunk");
		if (i == CODE)
			set_no_lines(bf);
		if (!chunks[i].at && chunk_table[i].required)
			return err_set(err, "has no %s chunk", chunk_table[i].id);
		if (chunks[i].at && !chunk_table[i].read(bf, chunks[i], err))
			return err_prefix(err, "%s chunk: ", chunk_table[i].id);
	}
	return check_code(bf, err);
}

static bool read_plain(struct beamfile *bf, const uint8_t *bytes, size_t len, struct err *err)
{
	struct cursor chunks[CHUNKS] = {0};

	*bf = (struct beamfile){.on_load = BEAMFILE_NONE, .checksum = hash_bytes(bytes, len)};
	if (find_chunks(cursor_over(bytes, len), chunks, err) && read_chunks(bf, chunks, err))
		return true;
	beamfile_release(bf);
	return false;
}

bool beamfile_read(struct beamfile *bf, const void *bytes, size_t len, struct err *err)
{
	static const uint8_t gzip[2] = {0x1f, 0x8b};
	uint8_t *unpacked;
	size_t unpacked_len;
	bool done;

	*bf = (struct beamfile){0};
	if (len > BEAMFILE_MAX_BYTES)
		return err_set(err, "larger than %d bytes", BEAMFILE_MAX_BYTES);
	if (len < sizeof(gzip) || memcmp(bytes, gzip, sizeof(gzip)) != 0)
		return read_plain(bf, bytes, len, err);
	if (!inflate_gzip(bytes, len, BEAMFILE_MAX_BYTES, &unpacked, &unpacked_len, err))
		return false;
	done = read_plain(bf, unpacked, unpacked_len, err);
	mem_free(unpacked);
	return done;
}

bool beamfile_load(struct beamfile *bf, const char *path, struct err *err)
{
	struct strbuf bytes = {0};
	bool done;

	*bf = (struct beamfile){0};
	if (!file_read(path, &bytes, err))
		return false;
	done = beamfile_read(bf, strbuf_text(&bytes), bytes.len, err);
	strbuf_release(&bytes);
	return done || err_prefix(err, "%s: ", path);
}

void beamfile_release(struct beamfile *bf)
{
	arena_release(&bf->arena);
	*bf = (struct beamfile){0};
}

const char *beamfile_module(const struct beamfile *bf)
{
	return bf->atoms[1].text;
}

uint32_t beamfile_function_at(const struct beamfile *bf, uint32_t instr)
{
	size_t low = 0, high = bf->functions_len;

	while (low < high) { /* the first function that ends behind instr */
		size_t middle = (low + high) / 2;

		if (bf->functions[middle].end <= instr)
			low = middle + 1;
		else
			high = middle;
	}
	return low < bf->functions_len ? (uint32_t)low : BEAMFILE_NONE;
}

uint32_t beamfile_function_of_label(const struct beamfile *bf, uint32_t label)
{
	uint32_t f;

	if (label >= bf->labels_len || bf->labels[label] == BEAMFILE_NONE)
		return BEAMFILE_NONE;
	f = beamfile_function_at(bf, bf->labels[label]);
	return f != BEAMFILE_NONE && bf->functions[f].label == label ? f : BEAMFILE_NONE;
}

uint32_t beamfile_find_atom(const struct beamfile *bf, const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 1; i < bf->atoms_len; i++)
		if (bf->atoms[i].len == len && memcmp(bf->atoms[i].text, text, len) == 0)
			return (uint32_t)i;
	return 0;
}
