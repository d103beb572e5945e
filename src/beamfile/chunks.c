#include "beamfile/chunks.h"

#include "beamfile/compact.h"
#include "beamfile/inflate.h"
#include "beamfile/utf8.h"

enum { MAX_ATOM_CHARS = 255, MAX_ATOM_BYTES = 4 * MAX_ATOM_CHARS };

/* Reads the count in front of a table whose rows take row_len bytes at least. */
static bool read_count(struct cursor *in, size_t row_len, size_t *count, struct err *err)
{
	*count = cursor_u32(in);
	if (in->bad || *count > cursor_left(in) / row_len)
		return err_set(err, "claims %zu entries in %zu bytes", *count, cursor_left(in));
	return true;
}

static void *alloc_rows(struct beamfile *bf, size_t count, size_t size)
{
	return arena_zalloc(&bf->arena, count * size);
}

static bool alloc_atoms(struct beamfile *bf, struct cursor *in, int64_t count, struct err *err)
{
	if (in->bad || count < 1 || (uint64_t)count > cursor_left(in))
		return err_set(err, "claims %lld atoms in %zu bytes", (long long)count,
			       cursor_left(in));
	bf->atoms_len = (size_t)count + 1;
	bf->atoms = alloc_rows(bf, bf->atoms_len, sizeof(*bf->atoms));
	bf->atoms[0].text = "[]";
	bf->atoms[0].len = 2;
	return true;
}

bool chunk_atoms_utf8(struct beamfile *bf, struct cursor in, struct err *err)
{
	int64_t count = (int32_t)cursor_u32(&in);
	bool long_lengths = count < 0; /* OTP 28 and up */

	if (!alloc_atoms(bf, &in, long_lengths ? -count : count, err))
		return false;
	for (size_t i = 1; i < bf->atoms_len; i++) {
		size_t len = long_lengths ? compact_read_u(&in, MAX_ATOM_BYTES) : cursor_u8(&in);
		const uint8_t *bytes = cursor_take(&in, len);

		if (!bytes)
			return err_set(err, "atom %zu is truncated", i);
		if (utf8_count_chars(bytes, len) > MAX_ATOM_CHARS)
			return err_set(err, "atom %zu is not UTF-8, or too long", i);
		bf->atoms[i].text = arena_strndup(&bf->arena, (const char *)bytes, len);
		bf->atoms[i].len = (uint32_t)len;
	}
	return true;
}

bool chunk_atoms_latin1(struct beamfile *bf, struct cursor in, struct err *err)
{
	if (!alloc_atoms(bf, &in, cursor_u32(&in), err))
		return false;
	for (size_t i = 1; i < bf->atoms_len; i++) {
		size_t len = cursor_u8(&in);
		const uint8_t *bytes = cursor_take(&in, len);

		if (!bytes)
			return err_set(err, "atom %zu is truncated", i);
		bf->atoms[i].text = utf8_from_latin1(&bf->arena, bytes, len, &bf->atoms[i].len);
	}
	return true;
}

static bool is_atom(const struct beamfile *bf, uint32_t index)
{
	return index > 0 && index < bf->atoms_len;
}

bool chunk_imports(struct beamfile *bf, struct cursor in, struct err *err)
{
	if (!read_count(&in, 12, &bf->imports_len, err))
		return false;
	bf->imports = alloc_rows(bf, bf->imports_len, sizeof(*bf->imports));
	for (size_t i = 0; i < bf->imports_len; i++) {
		struct beam_import *import = &bf->imports[i];

		import->module = cursor_u32(&in);
		import->function = cursor_u32(&in);
		import->arity = cursor_u32(&in);
		if (!is_atom(bf, import->module) || !is_atom(bf, import->function) ||
		    import->arity > BEAMFILE_MAX_ARITY)
			return err_set(err, "entry %zu is out of range", i);
	}
	return true;
}

/* Labels are checked later, when the code is known. */
static bool read_exports(struct beamfile *bf, struct cursor in, struct beam_export **rows,
			 size_t *rows_len, struct err *err)
{
	if (!read_count(&in, 12, rows_len, err))
		return false;
	*rows = alloc_rows(bf, *rows_len, sizeof(**rows));
	for (size_t i = 0; i < *rows_len; i++) {
		struct beam_export *row = &(*rows)[i];

		row->function = cursor_u32(&in);
		row->arity = cursor_u32(&in);
		row->label = cursor_u32(&in);
		if (!is_atom(bf, row->function) || row->arity > BEAMFILE_MAX_ARITY)
			return err_set(err, "entry %zu is out of range", i);
	}
	return true;
}

bool chunk_exports(struct beamfile *bf, struct cursor in, struct err *err)
{
	return read_exports(bf, in, &bf->exports, &bf->exports_len, err);
}

bool chunk_locals(struct beamfile *bf, struct cursor in, struct err *err)
{
	return read_exports(bf, in, &bf->locals, &bf->locals_len, err);
}

bool chunk_funs(struct beamfile *bf, struct cursor in, struct err *err)
{
	if (!read_count(&in, 24, &bf->funs_len, err))
		return false;
	bf->funs = alloc_rows(bf, bf->funs_len, sizeof(*bf->funs));
	for (size_t i = 0; i < bf->funs_len; i++) {
		struct beam_fun *fun = &bf->funs[i];

		fun->function = cursor_u32(&in);
		fun->arity = cursor_u32(&in);
		fun->label = cursor_u32(&in);
		fun->index = cursor_u32(&in);
		fun->num_free = cursor_u32(&in);
		fun->old_uniq = cursor_u32(&in);
		if (!is_atom(bf, fun->function) || fun->arity > BEAMFILE_MAX_ARITY ||
		    fun->num_free > fun->arity)
			return err_set(err, "entry %zu is out of range", i);
	}
	return true;
}

static bool unpack_literals(struct beamfile *bf, struct cursor *in, struct err *err)
{
	uint32_t size = cursor_u32(in);
	const uint8_t *bytes;

	if (in->bad)
		return err_set(err, "is truncated");
	if (size > BEAMFILE_MAX_BYTES)
		return err_set(err, "claims to unpack to %u bytes", size);
	if (size == 0) { /* OTP 28 and up: not compressed */
		bytes = (uint8_t *)arena_strndup(&bf->arena, (const char *)in->at, cursor_left(in));
		*in = cursor_over(bytes, cursor_left(in));
		return true;
	}
	if (!inflate_exact(&bf->arena, in->at, cursor_left(in), size, &bytes, err))
		return false;
	*in = cursor_over(bytes, size);
	return true;
}

bool chunk_literals(struct beamfile *bf, struct cursor in, struct err *err)
{
	if (!unpack_literals(bf, &in, err) || !read_count(&in, 4, &bf->literals_len, err))
		return false;
	bf->literals = alloc_rows(bf, bf->literals_len, sizeof(*bf->literals));
	for (size_t i = 0; i < bf->literals_len; i++) {
		bf->literals[i].len = cursor_u32(&in);
		bf->literals[i].bytes = cursor_take(&in, bf->literals[i].len);
		if (!bf->literals[i].bytes)
			return err_set(err, "literal %zu is truncated", i);
	}
	return true;
}

static bool read_line_items(struct beamfile *bf, struct cursor *in, uint32_t names, struct err *err)
{
	uint32_t file = 0;

	for (size_t i = 1; i < bf->lines_len;) {
		struct compact term = compact_read(in);

		if (in->bad || term.bytes || term.value < 0 || term.value > UINT32_MAX)
			return err_set(err, "item %zu is broken", i);
		if (term.tag == COMPACT_I) {
			bf->lines[i++] = (struct beam_line){file, (uint32_t)term.value};
		} else if (term.tag == COMPACT_A && term.value <= names) {
			file = (uint32_t)term.value;
		} else {
			return err_set(err, "item %zu is neither a line nor a file", i);
		}
	}
	return true;
}

static bool read_file_names(struct beamfile *bf, struct cursor *in, uint32_t names, struct err *err)
{
	bf->files_len = (size_t)names + 1;
	bf->files = alloc_rows(bf, bf->files_len, sizeof(*bf->files));
	bf->files[0] = arena_printf(&bf->arena, "%s.erl", beamfile_module(bf));
	for (size_t i = 1; i < bf->files_len; i++) {
		size_t len = cursor_u16(in);
		const uint8_t *bytes = cursor_take(in, len);

		if (!bytes)
			return err_set(err, "file name %zu is truncated", i);
		if (utf8_count_chars(bytes, len) == SIZE_MAX)
			return err_set(err, "file name %zu is not UTF-8", i);
		bf->files[i] = arena_strndup(&bf->arena, (const char *)bytes, len);
	}
	return true;
}

bool chunk_lines(struct beamfile *bf, struct cursor in, struct err *err)
{
	uint32_t version = cursor_u32(&in);
	uint32_t items, names;

	cursor_u32(&in); /* flags: hints */
	cursor_u32(&in); /* the number of line instructions: nobody needs it */
	items = cursor_u32(&in);
	names = cursor_u32(&in);
	if (in.bad)
		return err_set(err, "is truncated");
	if (version != 0)
		return err_set_unsupported(err, "version %u is not known", version);
	if (items > cursor_left(&in) || names > cursor_left(&in) / 2)
		return err_set(err, "claims %u items and %u names in %zu bytes", items, names,
			       cursor_left(&in));
	bf->lines_len = (size_t)items + 1;
	bf->lines = alloc_rows(bf, bf->lines_len, sizeof(*bf->lines));
	return read_line_items(bf, &in, names, err) && read_file_names(bf, &in, names, err);
}

static bool keep_bytes(struct beamfile *bf, struct cursor in, struct beam_bytes *out)
{
	out->len = cursor_left(&in);
	out->bytes = (uint8_t *)arena_strndup(&bf->arena, (const char *)in.at, out->len);
	return true;
}

bool chunk_strings(struct beamfile *bf, struct cursor in, struct err *err)
{
	return keep_bytes(bf, in, &bf->strings);
}

bool chunk_attributes(struct beamfile *bf, struct cursor in, struct err *err)
{
	return keep_bytes(bf, in, &bf->attributes);
}

bool chunk_compile_info(struct beamfile *bf, struct cursor in, struct err *err)
{
	return keep_bytes(bf, in, &bf->compile_info);
}
