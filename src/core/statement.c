#include "core/statement.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"

static void add_place(struct strbuf *text, const struct statement_place *place)
{
	if (place->file)
		strbuf_addf(text, "%s:%u", place->file, place->line);
	else if (place->address)
		strbuf_addf(text, "0x%" PRIx64, place->address);
	else
		strbuf_addc(text, '?');
}

static void write_text(const struct statements *s, const struct event *event, struct strbuf *text)
{
	struct statement_place places[1 + STATEMENT_CALLERS_MAX] = {{.address = event->site}};
	uint32_t wanted = 1 + s->callers, len = 1;

	if (wanted > 1 + STATEMENT_CALLERS_MAX)
		wanted = 1 + STATEMENT_CALLERS_MAX;
	if (s->places)
		len = s->places(s->ctx, event, places, wanted);
	add_place(text, &places[0]);
	strbuf_addf(text, " %s", event_kind_text(event->kind));
	for (uint32_t i = 1; i < len; i++) {
		strbuf_adds(text, " < ");
		add_place(text, &places[i]);
	}
}

uint32_t statement_named(struct statements *s, const char *text)
{
	bool is_new;
	uint64_t *number = map_put(&s->by_text, hash_bytes(text, strlen(text)), &is_new);

	if (is_new) {
		*number = s->texts.len;
		*vec_push(&s->texts) = mem_strdup(text);
	}
	return (uint32_t)*number;
}

uint32_t statement_of(struct statements *s, const struct event *event)
{
	uint64_t key = hash_combine(event->site, (uint64_t)event->context << 16 | event->kind);
	const uint64_t *known = map_get(&s->by_event, key);
	struct strbuf text = {0};
	uint32_t number;

	if (known)
		return (uint32_t)*known;
	write_text(s, event, &text);
	number = statement_named(s, strbuf_text(&text));
	*map_put(&s->by_event, key, NULL) = number;
	strbuf_release(&text);
	return number;
}

void statements_release(struct statements *s)
{
	for (size_t i = 0; i < s->texts.len; i++)
		mem_free(s->texts.items[i]);
	vec_release(&s->texts);
	map_release(&s->by_event);
	map_release(&s->by_text);
}
