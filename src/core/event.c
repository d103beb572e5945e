#include "core/event.h"

#include <string.h>

static const char *const texts[EVENT_KINDS] = {
#define EVENT(name, text, flags) [EVENT_##name] = text,
#include "core/event.def"
#undef EVENT
};

const char *event_kind_text(uint32_t kind)
{
	return kind < EVENT_KINDS ? texts[kind] : "?";
}

const char *event_wait_text(uint32_t kind)
{
	switch (kind) {
	case EVENT_COND_WAKE:
		return "cond-wait";
	case EVENT_BARRIER_LEAVE:
		return "barrier-wait";
	case EVENT_FUTEX_BLOCK:
		return texts[EVENT_FUTEX_WAIT];
	case EVENT_IO_READ:
		return "read";
	case EVENT_IO_WRITE:
		return "write";
	default:
		return event_kind_text(kind);
	}
}

uint32_t event_kind_named(const char *text)
{
	uint32_t kind = 0;

	while (kind < EVENT_KINDS && strcmp(texts[kind], text) != 0)
		kind++;
	return kind;
}
