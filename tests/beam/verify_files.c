/* verify_files WORD FILE...: every one of these files passes the verifier
 * (tests/beamfile/installed.sh gives it all that are installed; the word is what it says to the
 * disassembler). */
#include <stdio.h>

#include "base/mem.h"
#include "vm/code/verify.h"

static bool is_sound(const char *path)
{
	struct beamfile bf;
	struct err err = {0};
	struct verify_facts facts;
	bool ok;

	if (!beamfile_load(&bf, path, &err)) {
		fprintf(stderr, "%s\n", err.message);
		return false;
	}
	verify_facts_init(&facts, &bf);
	ok = verify_code(&bf, &facts, &err);
	if (!ok)
		fprintf(stderr, "%s: %s\n", path, err.message);
	verify_facts_release(&facts);
	beamfile_release(&bf);
	return ok;
}

int main(int argc, char **argv)
{
	int bad = 0;

	for (int i = 2; i < argc; i++)
		bad += !is_sound(argv[i]);
	return bad != 0;
}
