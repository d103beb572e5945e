#include "base/strbuf.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static void reserve(struct strbuf *buf, size_t more)
{
	size_t need = buf->len + more + 1;

	if (need <= buf->cap)
		return;
	buf->cap = buf->cap * 2 > need ? buf->cap * 2 : need + 32;
	buf->text = mem_realloc(buf->text, buf->cap);
}

void strbuf_add(struct strbuf *buf, const char *bytes, size_t len)
{
	reserve(buf, len);
	if (len)
		memcpy(buf->text + buf->len, bytes, len);
	buf->len += len;
	buf->text[buf->len] = '\0';
}

void strbuf_adds(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

void strbuf_addc(struct strbuf *buf, char c)
{
	strbuf_add(buf, &c, 1);
}

void strbuf_vaddf(struct strbuf *buf, const char *format, va_list args)
{
	va_list again;
	int len;

	reserve(buf, 0);
	va_copy(again, args);
	len = vsnprintf(buf->text + buf->len, buf->cap - buf->len, format, again);
	va_end(again);
	if ((size_t)len >= buf->cap - buf->len) {
		reserve(buf, (size_t)len);
		vsnprintf(buf->text + buf->len, (size_t)len + 1, format, args);
	}
	buf->len += (size_t)len;
}

void strbuf_addf(struct strbuf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vaddf(buf, format, args);
	va_end(args);
}

void strbuf_add_shell(struct strbuf *buf, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./,:+=@%";

	if (*word && word[strspn(word, plain)] == '\0') {
		strbuf_adds(buf, word);
		return;
	}
	strbuf_addc(buf, '\'');
	for (; *word; word++)
		if (*word == '\'')
			strbuf_adds(buf, "'\\''");
		else
			strbuf_addc(buf, *word);
	strbuf_addc(buf, '\'');
}

void strbuf_pad(struct strbuf *buf, size_t column, char fill)
{
	while (buf->len < column)
		strbuf_addc(buf, fill);
}

const char *strbuf_text(const struct strbuf *buf)
{
	return buf->text ? buf->text : "";
}

char *strbuf_detach(struct strbuf *buf)
{
	char *text = buf->text ? buf->text : mem_strdup("");

	*buf = (struct strbuf){0};
	return text;
}

void strbuf_clear(struct strbuf *buf)
{
	buf->len = 0;
	if (buf->text)
		buf->text[0] = '\0';
}

void strbuf_release(struct strbuf *buf)
{
	mem_free(buf->text);
	*buf = (struct strbuf){0};
}
