#include "report/json_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/harmless.h"

static json_t *repaired(const char *text)
{
	struct strbuf fixed = {0};
	json_t *value;

	for (; *text; text++)
		strbuf_addc(&fixed, (unsigned char)*text < 0x80 ? *text : '?');
	value = json_string(strbuf_text(&fixed));
	strbuf_release(&fixed);
	return value;
}

json_t *json_words_text(const char *text)
{
	json_t *value;

	if (!text)
		return json_null();
	value = json_string(text);
	return value ? value : repaired(text);
}

json_t *json_words_bytes(const char *bytes, size_t len, size_t max)
{
	size_t from = len > max ? len - max : 0;
	struct strbuf text = {0};
	json_t *value;

	while (from && from < len && ((unsigned char)bytes[from] & 0xc0) == 0x80)
		from++; /* not within a character */
	for (size_t i = from; i < len; i++) {
		bool is_harmless = (unsigned char)bytes[i] >= 0x20 || bytes[i] == '\n' ||
				   bytes[i] == '\t';

		strbuf_addc(&text, is_harmless && bytes[i] != 0x7f ? bytes[i] : '?');
	}
	value = json_words_text(strbuf_text(&text));
	strbuf_release(&text);
	return value;
}

json_t *json_words_list(const char *const *texts, uint32_t len)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < len; i++)
		json_array_append_new(list, json_words_text(texts[i]));
	return list;
}

json_t *json_words_hex(uint64_t number)
{
	char text[17];

	snprintf(text, sizeof(text), "%016" PRIx64, number);
	return json_string(text);
}

json_t *json_words_step(uint32_t step)
{
	return step == REPORT_NO_STEP || step == REPORT_BETWEEN ? json_null() : json_integer(step);
}

json_t *json_words_frame(const struct report_frame *frame)
{
	json_t *one = json_object();

	json_object_set_new(one, "function", json_words_text(frame->function));
	json_object_set_new(one, "file", json_words_text(frame->file));
	json_object_set_new(one, "line", frame->line ? json_integer(frame->line) : json_null());
	return one;
}

void json_words_write(json_t *root, struct strbuf *out)
{
	char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12));

	harmless_add_json(out, text ? text : "{}");
	strbuf_addc(out, '\n');
	free(text);
	json_decref(root);
}
