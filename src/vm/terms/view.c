#include "vm/terms/view.h"

#include "base/mem.h"
#include "vm/terms/text.h"

bool view_open(struct view *view, term t)
{
	struct bits b;

	*view = (struct view){0};
	if (!term_is_binary(t))
		return false;
	b = bits_of(t);
	view->len = b.size / 8;
	view->bytes = bits_start(b);
	if (b.offset % 8) {
		view->copy = mem_alloc(view->len + 1);
		bits_copy(view->copy, 0, b.bytes, b.offset, b.size);
		view->bytes = view->copy;
	}
	return true;
}

bool view_open_iolist(struct view *view, term t)
{
	struct bytes flat = {0};

	if (term_is_bitstring(t))
		return view_open(view, t);
	*view = (struct view){0};
	if (!term_is_list(t) || !iolist_flatten(t, &flat)) {
		bytes_release(&flat);
		return false;
	}
	view->copy = flat.items;
	view->bytes = flat.items ? flat.items : (const uint8_t *)"";
	view->len = flat.len;
	return true;
}

void view_close(struct view *view)
{
	mem_free(view->copy);
	view->copy = NULL;
}
