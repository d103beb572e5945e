#include "cli/help.h"

#include <string.h>

void help_pad(FILE *out, const char *text, unsigned width)
{
	unsigned used = 0;

	for (const char *c = text; *c; c++)
		used += ((unsigned char)*c & 0xc0) != 0x80;
	fprintf(out, "%s%*s", text, used < width ? (int)(width - used) : 1, "");
}

bool help_asked(int argc, char **argv, const char *page)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0) {
			fputs(page, stdout);
			return true;
		}
	return false;
}

bool help_refuse_option(const char *word, const char *page, const char *command, struct err *err)
{
	char typed[64], option[64];
	struct nearest nearest = {.typed = typed};

	snprintf(typed, sizeof(typed), "%.*s", (int)strcspn(word, "="), word);
	for (const char *at = strstr(page, " -"); at; at = strstr(at + 1, " -")) {
		size_t len = strspn(at + 1, "-abcdefghijklmnopqrstuvwxyz");

		snprintf(option, sizeof(option), "%.*s", (int)len, at + 1);
		if (len > 2)
			nearest_offer(&nearest, option);
	}
	return help_refuse(word, &nearest, command, err);
}

bool help_refuse(const char *word, const struct nearest *nearest, const char *command,
		 struct err *err)
{
	if (!nearest->best[0])
		return err_set(err, "unknown option %s (fermata %s --help lists them)", word, command);
	return err_set(err, "unknown option %s; did you mean %s? (fermata %s --help lists all)",
		       word, nearest->best, command);
}
