/* beam_dis.c: fermata beam dis FILE...: .beam files as readable text. */
#include "cli/beam_dis.h"

#include <stdio.h>
#include <string.h>

#include "beamfile/beamfile.h"
#include "beamfile/dis.h"
#include "cli/pager.h"

static const char usage[] =
	"usage: fermata beam dis FILE...\n"
	"\n"
	"Prints each .beam file as text: function by function, with labels and lines.\n";

static bool dis_file(const char *path, struct strbuf *text)
{
	struct err err = {0};
	struct beamfile bf;

	if (!beamfile_load(&bf, path, &err)) {
		fprintf(stderr, "fermata: %s\n", err.message);
		return false;
	}
	dis_module(text, &bf);
	beamfile_release(&bf);
	return true;
}

int cli_beam_dis(int argc, char **argv)
{
	struct strbuf text = {0};
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
		if (!dis_file(argv[i], &text))
			status = 2;
		else if (i + 1 < argc)
			strbuf_addc(&text, '\n');
	}
	pager_print(strbuf_text(&text), pager_is_wanted());
	strbuf_release(&text);
	return status;
}
