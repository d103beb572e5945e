#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limit.h"

/* A name in a message may hold any bytes; the message stays one line. */
static void make_one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

static void fill(struct err *err, enum err_kind kind, const char *format, va_list args)
{
	if (!err)
		return;
	err->kind = kind;
	vsnprintf(err->message, sizeof(err->message), format, args);
	make_one_line(err->message);
}

bool err_set(struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err, ERR_INPUT, format, args);
	va_end(args);
	return false;
}

bool err_set_unsupported(struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err, ERR_UNSUPPORTED, format, args);
	va_end(args);
	return false;
}

bool err_set_errno(struct err *err, const char *format, ...)
{
	int saved = errno;
	char limit[96];
	size_t used;
	va_list args;

	if (!err)
		return false;
	va_start(args, format);
	fill(err, ERR_INPUT, format, args);
	va_end(args);
	used = strlen(err->message);
	limit_of_errno(saved, limit, sizeof(limit));
	snprintf(err->message + used, sizeof(err->message) - used, ": %s%s", strerror(saved),
		 limit);
	return false;
}

bool err_prefix(struct err *err, const char *format, ...)
{
	struct err old;
	size_t used;
	va_list args;

	if (!err)
		return false;
	old = *err;
	va_start(args, format);
	fill(err, old.kind ? old.kind : ERR_INPUT, format, args);
	va_end(args);
	used = strlen(err->message);
	snprintf(err->message + used, sizeof(err->message) - used, "%s", old.message);
	return false;
}
