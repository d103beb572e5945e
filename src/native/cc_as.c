#include "native/cc_as.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "native/asm_scan.h"

bool cc_as_is_asked(const char *program_name)
{
	return strcmp(file_base_name(program_name), "as") == 0;
}

/* Options of the assembler whose argument is the next word. */
static bool takes_next(const char *option)
{
	static const char *const known[] = {"-o", "-I", "--defsym", "--MD", "-G"};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i], option) == 0)
			return true;
	return false;
}

/* The index of the only input, argc if it is standard input, -1 if there are several. */
static int find_input(int argc, char **argv)
{
	int found = argc;

	for (int i = 1; i < argc; i++) {
		if (takes_next(argv[i])) {
			i++;
			continue;
		}
		if (argv[i][0] == '-' && strcmp(argv[i], "-") != 0)
			continue;
		if (found != argc)
			return -1;
		found = i;
	}
	return found;
}

static bool read_all(int fd, struct strbuf *out)
{
	char chunk[65536];
	ssize_t got;

	while ((got = read(fd, chunk, sizeof(chunk))) > 0)
		strbuf_add(out, chunk, (size_t)got);
	for (size_t i = 0; i < out->len; i++)
		if (!out->text[i]) /* clang writes the bytes of constants into comments */
			out->text[i] = ' ';
	return got == 0;
}

static bool write_all(int fd, const struct strbuf *text)
{
	size_t done = 0;

	while (done < text->len) {
		ssize_t put = write(fd, text->text + done, text->len - done);

		if (put <= 0)
			return false;
		done += (size_t)put;
	}
	return lseek(fd, 0, SEEK_SET) == 0;
}

/* The text with the facts behind it, in a file without a name. */
static int prepare(const char *path)
{
	int from = path ? open(path, O_RDONLY | O_CLOEXEC) : 0;
	struct strbuf text = {0}, facts = {0}, hooked = {0};
	struct strbuf *result = &text;
	int to = -1;

	if (from < 0)
		return -1;
	if (read_all(from, &text)) {
		if (asm_scan(strbuf_text(&text), &facts, &hooked)) {
			asm_facts_as_section(&facts, &hooked);
			result = &hooked;
		}
		to = memfd_create("fermata-as", 0);
		if (to >= 0 && !write_all(to, result))
			to = -1;
	}
	strbuf_release(&hooked);
	strbuf_release(&text);
	strbuf_release(&facts);
	return to;
}

int cc_as_main(int argc, char **argv)
{
	const char *real = getenv("FERMATA_AS");
	char **words = mem_zalloc(((size_t)argc + 2) * sizeof(*words));
	int input = find_input(argc, argv), fd = -1;
	char place[64];

	if (!real || !*real)
		real = "as";
	for (int i = 0; i < argc; i++)
		words[i] = argv[i];
	words[0] = (char *)real;
	if (input >= 0)
		fd = prepare(input < argc && strcmp(argv[input], "-") != 0 ? argv[input] : NULL);
	if (fd >= 0) {
		snprintf(place, sizeof(place), "/proc/self/fd/%d", fd);
		words[input] = place;
	}
	execvp(real, words);
	perror(real);
	return 127;
}

const char *cc_as_folder(struct cc *cc, struct err *err)
{
	const char *link = cc_temp_path(cc, "as", err);
	char exe[4096];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (!link)
		return NULL;
	if (len < 0) {
		err_set_errno(err, "/proc/self/exe");
		return NULL;
	}
	exe[len] = '\0';
	if (access(link, X_OK) != 0 && symlink(exe, link) != 0) {
		err_set_errno(err, "%s", link);
		return NULL;
	}
	return arena_printf(&cc->arena, "%s/", cc->temp_dir);
}
