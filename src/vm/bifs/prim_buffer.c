/* prim_buffer: the read-ahead buffers of raw files. Bytes go in at the end and out at the front. */
#include "vm/bifs/bif.h"
#include "vm/bifs/resource.h"
#include "vm/memory/region.h"
#include "vm/terms/view.h"

struct buffer {
	struct resource resource;
	uint8_t *bytes; /* in the region */
	size_t cap;
	size_t start; /* the contents are bytes[start .. end) */
	size_t end;
	bool is_locked;
};

static struct buffer *find_buffer(struct process *p, term ref)
{
	return resource_find(p, ref, RESOURCE_BUFFER);
}

static size_t buffered(const struct buffer *buffer)
{
	return buffer->end - buffer->start;
}

term bif_prim_buffer_new_0(struct process *p, const term *args)
{
	void *object;

	return resource_new(p, RESOURCE_BUFFER, sizeof(struct buffer), &object);
}

term bif_prim_buffer_size_1(struct process *p, const term *args)
{
	struct buffer *buffer = find_buffer(p, args[0]);

	return buffer ? heap_unsigned(p, buffered(buffer)) : bif_badarg(p);
}

static void make_room(struct buffer *buffer, size_t len)
{
	size_t cap;

	if (buffer->cap - buffer->end >= len)
		return;
	if (buffer->start) {
		memmove(buffer->bytes, buffer->bytes + buffer->start, buffered(buffer));
		buffer->end -= buffer->start;
		buffer->start = 0;
	}
	if (buffer->cap - buffer->end >= len)
		return;
	cap = (buffer->end + len) * 2;
	buffer->bytes = region_grow(buffer->bytes, buffer->cap, cap);
	buffer->cap = cap;
}

term bif_prim_buffer_write_2(struct process *p, const term *args)
{
	struct buffer *buffer = find_buffer(p, args[0]);
	struct view view;

	if (!buffer || !term_is_list(args[1]) || !view_open_iolist(&view, args[1]))
		return bif_badarg(p);
	make_room(buffer, view.len);
	if (view.len)
		memcpy(buffer->bytes + buffer->end, view.bytes, view.len);
	buffer->end += view.len;
	view_close(&view);
	return A_ok;
}

static bool read_size(const struct buffer *buffer, term t, size_t *size)
{
	if (!buffer || !term_is_small(t) || small_value(t) < 0 ||
	    (uint64_t)small_value(t) > buffered(buffer))
		return false;
	*size = (size_t)small_value(t);
	return true;
}

term bif_prim_buffer_skip_2(struct process *p, const term *args)
{
	struct buffer *buffer = find_buffer(p, args[0]);
	size_t size;

	if (!read_size(buffer, args[1], &size))
		return bif_badarg(p);
	buffer->start += size;
	return A_ok;
}

term bif_prim_buffer_copying_read_2(struct process *p, const term *args)
{
	struct buffer *buffer = find_buffer(p, args[0]);
	size_t size;
	term result;

	if (!read_size(buffer, args[1], &size))
		return bif_badarg(p);
	result = binary_from(p, buffer->bytes + buffer->start, size);
	buffer->start += size;
	return result;
}

term bif_prim_buffer_peek_head_1(struct process *p, const term *args)
{
	struct buffer *buffer = find_buffer(p, args[0]);

	if (!buffer || !buffered(buffer))
		return bif_badarg(p);
	return binary_from(p, buffer->bytes + buffer->start, buffered(buffer));
}

term bif_prim_buffer_find_byte_index_2(struct process *p, const term *args)
{
	struct buffer *buffer = find_buffer(p, args[0]);
	const uint8_t *found = NULL;

	if (!buffer || !term_is_small(args[1]) || small_value(args[1]) < 0 ||
	    small_value(args[1]) > 255)
		return bif_badarg(p);
	if (buffered(buffer))
		found = memchr(buffer->bytes + buffer->start, (int)small_value(args[1]),
			       buffered(buffer));
	if (!found)
		return A_not_found;
	return heap_tuple2(p, A_ok,
			   heap_unsigned(p, (size_t)(found - buffer->bytes) - buffer->start));
}

term bif_prim_buffer_try_lock_1(struct process *p, const term *args)
{
	struct buffer *buffer = find_buffer(p, args[0]);

	if (!buffer)
		return bif_badarg(p);
	if (buffer->is_locked)
		return A_busy;
	buffer->is_locked = true;
	return A_acquired;
}

term bif_prim_buffer_unlock_1(struct process *p, const term *args)
{
	struct buffer *buffer = find_buffer(p, args[0]);

	if (!buffer)
		return bif_badarg(p);
	buffer->is_locked = false;
	return A_ok;
}
