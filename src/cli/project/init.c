#include "cli/project/init.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/plural.h"
#include "cli/exits.h"
#include "cli/help.h"
#include "cli/project/found.h"
#include "native/elf.h"

static const char usage[] =
	"usage: fermata init [--force]\n"
	"\n"
	"Writes fermata.toml, the file of `fermata run`, from what is in the current folder: the\n"
	"tests that CMakeLists.txt or meson.build name, EUnit modules and Common Test suites of\n"
	"rebar3, ExUnit cases of mix, and programs that fermata-cc has built. The file is meant to be edited and kept.\n"
	"\n"
	"  --force    replace a file that is there\n"
	"\n"
	"Exit status: 0 written, 2 not written.\n";

static void visit_program(struct found *found, void *ctx, const char *path, const char *name)
{
	struct elf_program program = {0};
	struct err err = {0};
	struct strbuf value = {0};

	(void)ctx;
	if (!strchr(path, '/'))
		strbuf_adds(&value, "./");
	strbuf_adds(&value, path);
	if (access(path, X_OK) == 0 && elf_program_read(&program, path, &err) &&
	    program.has_runtime && !program.is_library && !strstr(path, "CMakeFiles/") &&
	    !strstr(path, "meson-private/") &&
	    !strstr(strbuf_text(&found->tests), arena_printf(&found->arena, "\"%s\"",
							      strbuf_text(&value))))
		found_add_program(found, &(struct found_program){.name = name,
								 .path = strbuf_text(&value)},
				  path);
	elf_program_release(&program);
	strbuf_release(&value);
}

static const struct {
	const char *file, *tool, *build;
	void (*read)(struct found *found);
} tools[] = {
	{"CMakeLists.txt", "CMake",
	 "CC=fermata-cc CXX=fermata-c++ cmake -B build-fermata && cmake --build build-fermata",
	 found_read_cmake},
	{"meson.build", "Meson",
	 "CC=fermata-cc CXX=fermata-c++ meson setup build-fermata && ninja -C build-fermata",
	 found_read_meson},
	{"rebar.config", "rebar3", "rebar3 as test compile", found_read_rebar},
	{"mix.exs", "mix", "MIX_ENV=test mix fermata --compile", found_read_mix},
	{"Makefile", "make", "make clean && make CC=fermata-cc CXX=fermata-c++", NULL},
};

static void look(struct found *found, struct strbuf *out)
{
	strbuf_adds(out, "# The tests that `fermata run` runs; docs/run-file.md describes this file.\n");
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (access(tools[i].file, R_OK) != 0)
			continue;
		strbuf_addf(out, "# Build first (%s): %s\n", tools[i].tool, tools[i].build);
		if (tools[i].read)
			tools[i].read(found);
	}
	found_walk(found, visit_program, NULL);
	strbuf_add(out, strbuf_text(&found->notes), found->notes.len);
	strbuf_adds(out, "\nbudget = 300     # seconds for all tests together\n\n[options]\n"
			 "# baseline = \"fermata.baseline\"   # known findings, which do not fail\n");
	strbuf_add(out, strbuf_text(&found->options), found->options.len);
	if (!found->names.len)
		strbuf_adds(out, "\n# [[test]]\n# name = \"queue\"\n# program = [\"./queue_test\", "
				 "\"3\"]\n# expect = \"proved\"\n");
	strbuf_add(out, strbuf_text(&found->tests), found->tests.len);
}

int cli_init(int argc, char **argv)
{
	bool is_forced = argc == 2 && strcmp(argv[1], "--force") == 0;
	struct found found = {0};
	struct strbuf text = {0};
	struct err err = {0};

	if (help_asked(argc, argv, usage))
		return EXIT_NO_BUG;
	if (argc > 1 && !is_forced) {
		help_refuse_option(argv[1], usage, "init", &err);
		return exits_fail(&err);
	}
	if (!is_forced && access("fermata.toml", F_OK) == 0) {
		err_set(&err, "fermata.toml is there already; --force replaces it");
		return exits_fail(&err);
	}
	look(&found, &text);
	file_write("fermata.toml", strbuf_text(&text), text.len, &err);
	if (!err.message[0] && found.names.len)
		printf("fermata.toml has %zu test%s; build as its first lines say, then: fermata run\n",
		       found.names.len, PLURAL(found.names.len));
	else if (!err.message[0])
		printf("no test was found; fermata.toml has an example to complete. After a build with "
		       "fermata-cc, `fermata init --force` finds the programs.\n");
	strbuf_release(&text);
	if (!err.message[0] && found.notes_len)
		printf("%zu test%s or option%s of the project %s not taken; comments in fermata.toml say "
		       "which and why\n", found.notes_len, PLURAL(found.notes_len),
		       PLURAL(found.notes_len), found.notes_len == 1 ? "is" : "are");
	strbuf_release(&found.options);
	strbuf_release(&found.notes);
	strbuf_release(&found.tests);
	vec_release(&found.names);
	arena_release(&found.arena);
	return err.message[0] ? exits_fail(&err) : EXIT_NO_BUG;
}
