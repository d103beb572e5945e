#include "native/cc_stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "native/asm_scan.h"
#include "native/functions.h"
#include "native/uses.h"

#if defined(__x86_64__)
enum { CAN_STUB = 1 };
#else
enum { CAN_STUB = 0 };
#endif

/* Shared libraries that GNU ld has read, some of which the wrapper may have made. */
static void add_libraries(struct uses *uses, const char *map)
{
	FILE *file = fopen(map, "re");
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	while (file && (len = getline(&line, &cap, file)) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "LOAD ", 5) == 0 && strstr(line, ".so"))
			uses_add(uses, line + 5);
	}
	free(line);
	if (file)
		fclose(file);
}

/* The effects of a function that needs a stand-in; NULL if it needs none. */
static const char *stub_effects(const struct uses *uses, const struct use *use)
{
	const struct function *function = function_find(use->name);

	if (use->kind != 'C' && use->kind != 'A')
		return NULL;
	if (uses_defines(uses, use->name) || !function_needs_stub(function))
		return NULL;
	/* Only a call tells that an unknown name is a function and not a variable. */
	if (!function && use->kind != 'C')
		return NULL;
	return function ? function->effects : "?";
}

static void write_stub(const char *name, const char *effects, struct strbuf *out)
{
	strbuf_addf(out,
		    "\t.text\n\t.p2align 4\n\t.globl __wrap_%s\n\t.type __wrap_%s, @function\n__wrap_%s:\n"
		    "\t.cfi_startproc\n\tleaq 1f(%%rip), %%r11\n"
		    "\tmovq __real_%s@GOTPCREL(%%rip), %%r10\n"
		    "\tjmp *rt_effect_enter@GOTPCREL(%%rip)\n\t.cfi_endproc\n"
		    "\t.size __wrap_%s, .-__wrap_%s\n"
		    "\t.section .rodata\n1:\t.asciz \"%s\"\n\t.asciz \"%s\"\n"
		    "\t.section " ASM_USES_SECTION ",\"\",@progbits\n\t.asciz \"W\\t%s\"\n"
		    "\t.asciz \"D\\t__wrap_%s\"\n",
		    name, name, name, name, name, name, name, effects, name, name);
}

static bool write_text(const char *path, const struct strbuf *text, struct err *err)
{
	FILE *file = fopen(path, "we");
	bool ok;

	if (!file)
		return err_set_errno(err, "%s", path);
	ok = fwrite(strbuf_text(text), 1, text->len, file) == text->len;
	ok = fclose(file) == 0 && ok;
	return ok || err_set_errno(err, "%s", path);
}

/* The object with the stand-ins carries the note: it is part of the instrumentation. */
static const char stub_head[] =
	"\t.section .note.fermata,\"a\",%note\n\t.balign 4\n\t.long 8, 4, 1\n"
	"\t.asciz \"Fermata\"\n\t.long 1\n\t.section .note.GNU-stack,\"\",@progbits\n"
	"\t.section " ASM_USES_SECTION ",\"\",@progbits\n\t.asciz \"O\"\n";

static bool assemble(struct cc *cc, const struct strbuf *text, const char *object, struct err *err)
{
	const char *source = cc_temp_path(cc, "stubs.s", err);
	const char *real = getenv("FERMATA_AS");
	struct cc_words command = {0};
	int status = 0;
	bool ok = source && write_text(source, text, err);

	cc_words_add(&command, real && *real ? real : "as");
	cc_words_add(&command, "-o");
	cc_words_add(&command, object);
	cc_words_add(&command, source);
	ok = ok && cc_run(&command, &status, err);
	vec_release(&command);
	return ok && (status == 0 || err_set(err, "the stand-ins could not be assembled"));
}

bool cc_stub_make(struct cc *cc, const char *linked, const char *map, struct cc_words *words,
		  bool *needed, struct err *err)
{
	const char *object = cc_temp_path(cc, "stubs.o", err);
	const char *options = cc_temp_path(cc, "stubs.rsp", err);
	struct strbuf code = {0}, wraps = {0};
	struct uses uses = {0};
	bool ok = object && options;

	*needed = false;
	if (ok && CAN_STUB && uses_add(&uses, linked)) {
		strbuf_adds(&code, stub_head);
		add_libraries(&uses, map);
		for (size_t i = 0; i < uses.items.len; i++) {
			const char *effects = stub_effects(&uses, &uses.items.items[i]);

			if (!effects || strchr(uses.items.items[i].name, '"'))
				continue;
			*needed = true;
			write_stub(uses.items.items[i].name, effects, &code);
			strbuf_addf(&wraps, "--wrap=%s\n", uses.items.items[i].name);
		}
	}
	if (ok && *needed) {
		ok = write_text(options, &wraps, err) && assemble(cc, &code, object, err);
		cc_words_add(words, object);
		cc_words_add(words, arena_printf(&cc->arena, "-Wl,@%s", options));
	}
	strbuf_release(&code);
	strbuf_release(&wraps);
	uses_release(&uses);
	return ok;
}
