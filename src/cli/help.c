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
