/* Writes two small files into a folder of its own, scans them, and checks the totals. */
#include "scan.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FILES 2

static const char *const texts[FILES] = {
	"the fermata holds a note\nnothing here\n",
	"a pause\na note that is held by a fermata for as long as one likes\n",
};

static int write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		return -1;
	fputs(text, file);
	return fclose(file);
}

int main(void)
{
	char folder[] = "/tmp/scanner-XXXXXX";
	char paths[FILES][64];
	const char *path_list[FILES];
	struct scan scan = { .word = "note", .paths = path_list, .paths_len = FILES };

	if (mkdtemp(folder) == NULL)
		return 1;
	for (int i = 0; i < FILES; i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s/%d.txt", folder, i);
		path_list[i] = paths[i];
		if (write_file(paths[i], texts[i]) != 0)
			return 1;
	}
	if (scan_run(&scan, 2) != 0)
		return 1;
	for (int i = 0; i < FILES; i++)
		unlink(paths[i]);
	rmdir(folder);
	assert(scan.errors == 0 && scan.matches == 2);
	assert(scan.longest == 57);
	printf("%zu matches\n", (size_t)scan.matches);
	return 0;
}
