/* beam_dis.c: fermata beam dis FILE...: .beam files as readable text. */
#include "cli/beam_dis.h"

#include <stdio.h>
#include <string.h>

#include "beamfile/beamfile.h"
#include "beamfile/dis.h"

static const char usage[] =
	"usage: fermata beam dis FILE...\n"
	"\n"
	"Prints each .beam file as text: function by function, with labels and lines.\n";

static bool dis_file(const char *path)
{
	struct err err = {0};
	struct strbuf text = {0};
	struct beamfile bf;

	if (!beamfile_load(&bf, path, &err)) {
		fprintf(stderr, "fermata: %s\n", err.message);
		return false;
	}
	dis_module(&text, &bf);
	fwrite(strbuf_text(&text), 1, text.len, stdout);
	strbuf_release(&text);
	beamfile_release(&bf);
	return true;
}

int cli_beam_dis(int argc, char **argv)
{
	int status = 0;

	if (argc < 2) {
		fputs("fermata: beam dis needs a .beam file (fermata beam dis --help)\n", stderr);
		return 2;
	}
	if (strcmp(argv[1], "--help") == 0) {
		fputs(usage, stdout);
		return 0;
	}
	for (int i = 1; i < argc; i++) {
		if (!dis_file(argv[i]))
			status = 2;
		else if (i + 1 < argc)
			putchar('\n');
	}
	return status;
}
