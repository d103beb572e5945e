#include "cli/exits.h"

#include <stdarg.h>
#include <string.h>

#include "base/harmless.h"

static const struct {
	int number;
	const char *text;
} statuses[] = {
#define STATUS(name, number, text) {number, text},
#include "cli/exits.def"
#undef STATUS
};

static const char *text_of(int number)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (statuses[i].number == number)
			return statuses[i].text;
	return "?";
}

void exits_print(FILE *out, ...)
{
	va_list numbers;
	int number;

	fputs("\nExit status:\n", out);
	va_start(numbers, out);
	while ((number = va_arg(numbers, int)) >= 0)
		fprintf(out, "  %-5d %s\n", number, text_of(number));
	va_end(numbers);
}

void exits_print_harmless(FILE *out, const char *text)
{
	struct strbuf shown = {0};

	harmless_add(&shown, text, strlen(text), false);
	fputs(strbuf_text(&shown), out);
	strbuf_release(&shown);
}

void exits_warn(const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fputs("fermata: ", stderr);
	exits_print_harmless(stderr, text);
	fputc('\n', stderr);
}

static const char *test_name;

void exits_name_test(const char *name)
{
	test_name = name;
}

int exits_fail(const struct err *err)
{
	fputs("fermata: ", stderr);
	if (test_name && strncmp(err->message, test_name, strlen(test_name)) != 0) {
		exits_print_harmless(stderr, test_name);
		fputs(": ", stderr);
	}
	exits_print_harmless(stderr, err->message);
	fputc('\n', stderr);
	return err->kind == ERR_UNSUPPORTED ? EXIT_LOST : EXIT_USAGE;
}

int exits_fail_after(int status, const struct err *err)
{
	int failed = exits_fail(err);

	return status == EXIT_NO_BUG || status == EXIT_NOT_PROVED ? failed : status;
}
