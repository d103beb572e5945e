/* strbuf.h: a growing text. Always NUL-terminated; zero-initialised is the empty text.
 * `text` may be read at any time through strbuf_text(), which never returns NULL. */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	char *text;
	size_t len;
	size_t cap;
};

void strbuf_add(struct strbuf *buf, const char *bytes, size_t len);
void strbuf_adds(struct strbuf *buf, const char *text);
void strbuf_addc(struct strbuf *buf, char c);
void strbuf_addf(struct strbuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *buf, const char *format, va_list args);
/* A word of a command line, in quotes if a shell would read it as something else. */
void strbuf_add_shell(struct strbuf *buf, const char *word);
void strbuf_pad(struct strbuf *buf, size_t column, char fill); /* up to len == column */
const char *strbuf_text(const struct strbuf *buf);
char *strbuf_detach(struct strbuf *buf); /* the caller frees with mem_free */
void strbuf_clear(struct strbuf *buf);
void strbuf_release(struct strbuf *buf);

#endif
