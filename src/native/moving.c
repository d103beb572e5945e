#include "native/moving.h"

#include <string.h>

#include "core/trace.h"
#include "native/demangle.h"

enum { NAMES_MAX = 3 };

static void add_part(struct strbuf *out, const char *text, size_t room)
{
	strbuf_addf(out, "%s%.*s", out->len ? "; " : "", (int)room, text);
}

/* The channel is written by the program: its numbers and texts are bounded here. */
void moving_describe(const struct channel *channel, struct strbuf *out)
{
	uint32_t len = channel->unknown_len < CHANNEL_UNKNOWN ? channel->unknown_len
							      : CHANNEL_UNKNOWN;

	if (channel->uncontrolled[0])
		add_part(out, channel->uncontrolled, sizeof(channel->uncontrolled));
	if ((channel->assumed | channel->assumed_early) & ASSUMED_MOVING)
		add_part(out, "inode numbers, times, links and names of files", 64);
	for (uint32_t i = 0; i < len && i < NAMES_MAX; i++) {
		size_t before;

		add_part(out, "the result of ", 16);
		before = out->len;
		demangle_add(out, channel->unknown[i].name, sizeof(channel->unknown[i].name));
		if (!strchr(strbuf_text(out) + before, '('))
			strbuf_adds(out, "()");
	}
	if (len > NAMES_MAX)
		add_part(out, "results of other functions that are not modelled", 64);
}
