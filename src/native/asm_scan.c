#include "native/asm_scan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "native/asm_size.h"
#include "native/asm_unseen.h"

enum { LINE_MAX_LEN = 4096, WORD_MAX = 1024 };

enum use { USE_NONE, USE_NAMED, USE_CALLED };

struct name {
	const char *text, *file; /* file: of the first use */
	unsigned line;
	enum use use;
	bool defined, constant, is_function, is_weak;
	bool is_global, is_hidden, is_common;
	bool lends_frame; /* a function that takes the address of a local */
};

struct scan {
	struct arena arena;
	struct strbuf *out;
	VEC(struct name) names;
	struct map by_text;
	VEC(const char *) files; /* by the number that .file gives them */
	const char *file;
	unsigned line;
	bool has_note, in_asm, in_file_asm;
	bool is_clangs, is_wide; /* rt_unhooked does not keep all registers that it uses */
	bool has_nested; /* gcc puts code on the stack, by which a nested function finds the frame around it */
	bool in_constants, in_code, in_debug; /* the section */
	bool asm_in_code;            /* the section that inline assembler is in */
	/* the function that the text is in; NULL outside */
	const char *function;
	struct asm_unseen unseen;
	struct strbuf *text; /* the text with the hooks that were missing */
	bool after_jump;     /* the instruction before does not go on to the next */
};

static const char *const harmless[] = {
#define ASM_HARMLESS(text) text,
#define ASM_DIRECTIVE(name)
#define ASM_UNHOOKED(name)
#include "native/asm_known.def"
#undef ASM_HARMLESS
#undef ASM_DIRECTIVE
#undef ASM_UNHOOKED
};

static const char *const directives[] = {
#define ASM_HARMLESS(text)
#define ASM_DIRECTIVE(name) name,
#define ASM_UNHOOKED(name)
#include "native/asm_known.def"
#undef ASM_HARMLESS
#undef ASM_DIRECTIVE
#undef ASM_UNHOOKED
};

static const char *const unhooked[] = {
#define ASM_HARMLESS(text)
#define ASM_DIRECTIVE(name)
#define ASM_UNHOOKED(name) name,
#include "native/asm_known.def"
#undef ASM_HARMLESS
#undef ASM_DIRECTIVE
#undef ASM_UNHOOKED
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static struct name *name_of(struct scan *s, const char *text, size_t len)
{
	bool is_new;
	uint64_t *index = map_put(&s->by_text, hash_bytes(text, len), &is_new);

	if (is_new) {
		*index = s->names.len;
		*vec_push(&s->names) = (struct name){.text = arena_strndup(&s->arena, text, len)};
	}
	return &s->names.items[*index];
}

/* ---- facts ---- */

static void add_fact(struct scan *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vaddf(s->out, format, args);
	va_end(args);
	strbuf_add(s->out, "", 1);
}

/* A local name says nothing about calls of the same name in other objects. */
static char definition_kind(const struct name *one)
{
	if (!one->is_global && !one->is_weak && !one->is_common)
		return 'L';
	return one->is_hidden ? 'H' : 'D';
}

static void add_uses(struct scan *s)
{
	for (size_t i = 0; i < s->names.len; i++) {
		const struct name *one = &s->names.items[i];

		if (starts(one->text, "__tsan_") || starts(one->text, ".L"))
			continue;
		if (one->defined)
			add_fact(s, "%c\t%s", definition_kind(one), one->text);
		else if (one->use != USE_NONE)
			add_fact(s, "%c\t%s\t%s:%u", one->use == USE_CALLED && !one->is_weak ? 'C' : 'A', one->text,
				 one->file ? one->file : "", one->line);
	}
}

/* ---- words ---- */

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static void use_name(struct scan *s, const char *text, size_t len, enum use use)
{
	struct name *one = name_of(s, text, len);

	if (one->use >= use)
		return;
	one->use = use;
	one->file = s->file;
	one->line = s->line;
}

/* Notes every name among the operands. */
static void use_names(struct scan *s, const char *at, enum use use)
{
	while (*at) {
		size_t len = 0;

		if (*at == '%' || *at == '@') { /* a register, @PLT, @GOTPCREL */
			for (at++; is_name_char(*at); at++)
				;
			continue;
		}
		if (*at == '"' || *at == '#')
			return;
		if (*at == '$' || !is_name_char(*at)) {
			at++;
			continue;
		}
		while (is_name_char(at[len]))
			len++;
		if (!isdigit((unsigned char)*at) && len > 1 && !starts(at, ".L"))
			use_name(s, at, len, use);
		else if (isalpha((unsigned char)*at) && len == 1)
			use_name(s, at, len, use);
		at += len;
	}
}

/* ---- directives ---- */

static void read_file(struct scan *s, const char *at)
{
	unsigned number;
	int used = 0;
	const char *open, *close, *more;

	if (*at == '"' && !s->file)
		s->file = arena_strndup(&s->arena, at + 1, strcspn(at + 1, "\""));
	if (sscanf(at, "%u %n", &number, &used) < 1 || number > 100000)
		return;
	open = strchr(at + used, '"');
	close = open ? strchr(open + 1, '"') : NULL;
	more = close ? strchr(close + 1, '"') : NULL;
	if (more && strchr(more + 1, '"')) {
		open = more;
		close = strchr(more + 1, '"');
	}
	if (!close)
		return;
	while (s->files.len <= number)
		*vec_push(&s->files) = NULL;
	s->files.items[number] =
		arena_strndup(&s->arena, open + 1, (size_t)(close - open - 1));
}

static void read_location(struct scan *s, const char *at)
{
	unsigned file, line;

	if (sscanf(at, "%u %u", &file, &line) == 2 && line) {
		s->file = file < s->files.len ? s->files.items[file] : NULL;
		s->line = line;
	}
}

static void read_section(struct scan *s, const char *directive, const char *at)
{
	const char *name = starts(directive, ".section") || starts(directive, ".pushsection")
				   ? at : directive;

	s->in_code = starts(name, ".text") || (strstr(at, "\"ax") != NULL);
	s->in_constants = starts(name, ".rodata") || starts(name, ".data.rel.ro");
	s->in_debug = starts(name, ".debug") || starts(name, ".gnu.debug");
}

static bool is_data(const char *directive)
{
	return starts(directive, ".quad") || starts(directive, ".8byte") ||
	       starts(directive, ".long") || starts(directive, ".4byte") ||
	       strcmp(directive, ".set") == 0;
}

static struct name *define(struct scan *s, const char *text, size_t len)
{
	struct name *one = name_of(s, text, len);

	one->defined = true;
	one->constant |= s->in_constants;
	return one;
}

static void read_directive(struct scan *s, const char *directive, const char *at)
{
	size_t len = strcspn(at, ", \t");

	if (strcmp(directive, ".file") == 0)
		read_file(s, at);
	else if (strcmp(directive, ".loc") == 0)
		read_location(s, at);
	else if (starts(directive, ".section") || starts(directive, ".pushsection") ||
		 starts(directive, ".text") || starts(directive, ".data") ||
		 starts(directive, ".bss"))
		read_section(s, directive, at);
	else if (strcmp(directive, ".type") == 0 && strstr(at, "function"))
		name_of(s, at, len)->is_function = true;
	else if (strcmp(directive, ".comm") == 0 || strcmp(directive, ".lcomm") == 0 ||
		 strcmp(directive, ".set") == 0)
		define(s, at, len)->is_common = strcmp(directive, ".comm") == 0;
	else if (strcmp(directive, ".globl") == 0)
		name_of(s, at, len)->is_global = true;
	else if (strcmp(directive, ".hidden") == 0 || strcmp(directive, ".internal") == 0)
		name_of(s, at, len)->is_hidden = true;
	else if (strcmp(directive, ".weak") == 0)
		name_of(s, at, len)->is_weak = true;
	else if (strcmp(directive, ".size") == 0)
		s->function = NULL;
	if (strstr(at, ".note.fermata"))
		s->has_note = true;
	if (!s->in_debug && is_data(directive))
		use_names(s, at, USE_NAMED);
}

/* ---- instructions ---- */

static bool is_constant(void *ctx, const char *text, int len)
{
	struct scan *s = ctx;
	const char *plus = memchr(text, '+', (size_t)len);
	struct name *one;

	if (plus && isdigit((unsigned char)text[0])) {
		len -= (int)(plus + 1 - text);
		text = plus + 1;
	} else {
		while (plus && len > (int)(plus - text))
			len--;
	}
	if (starts(text, ".L") || starts(text, "_ZTV") || starts(text, "_ZTT") ||
	    starts(text, "_ZTI") || starts(text, "_ZTS"))
		return true;
	one = name_of(s, text, (size_t)len);
	return one->constant;
}

static bool fits(const char *pattern, const char *word)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return strncmp(pattern, word, len - 1) == 0;
	return strcmp(pattern, word) == 0;
}

/* A call that keeps all registers and flags (runtime/calls/unhooked.c), below the red zone. */
static void add_hook(struct scan *s, const struct asm_access *access)
{
	bool by_rsp = access->len < WORD_MAX && memmem(access->operand, (size_t)access->len, "(%rsp", 5);

	strbuf_addf(s->text,
		    "\tleaq -128(%%rsp), %%rsp\n\tpushq %%rax\n\tleaq %s%.*s, %%rax\n"
		    "\tpushq %%rax\n\tpushq $%d\n\tcall rt_unhooked%s@PLT\n"
		    "\tleaq 16(%%rsp), %%rsp\n\tpopq %%rax\n\tleaq 128(%%rsp), %%rsp\n",
		    !by_rsp ? "" : access->operand[0] == '(' ? "136" : "136+", access->len,
		    access->operand, access->size << 2 | (access->writes ? 2 : 0) | (access->reads ? 1 : 0), s->is_wide ? "_wide" : "");
}

static void add_unhooked(struct scan *s, const char *mnemonic)
{
	add_fact(s, "S\t%s:%u\t%s", s->file ? s->file : "", s->line, mnemonic);
}

static void read_instruction(struct scan *s, const char *mnemonic, const char *at)
{
	struct asm_access access;
	bool is_call = starts(mnemonic, "call") || mnemonic[0] == 'j' || strcmp(mnemonic, "bl") == 0;

	for (size_t i = 0; i < LENGTH(unhooked); i++)
		if (fits(unhooked[i], mnemonic))
			add_unhooked(s, mnemonic);
	if (starts(mnemonic, "xchg") && strchr(at, '('))
		add_unhooked(s, mnemonic);
	/* gcc writes "rep bsfq %rdi, %rax" for __builtin_ctzl: tzcnt, which repeats nothing. */
	if (starts(mnemonic, "rep") && starts(at, "bs")) {
		mnemonic = starts(at, "bsfl") ? "bsfl" : "bsfq";
		at += strcspn(at, " \t");
		at += strspn(at, " \t");
	}
	if (starts(mnemonic, "rep"))
		at = starts(at, "stos") ? "(%rdi)" : starts(at, "movs") ? "(%rsi), (%rdi)" :
		     starts(at, "nop") || starts(at, "ret") ? "" : "(%rsi)";
	if (s->function && asm_unseen_step(&s->unseen, mnemonic, at, is_constant, s, &access)) {
		if (asm_is_masked(mnemonic, at, (int)strcspn(at, "#")))
			add_unhooked(s, mnemonic);
		else if (starts(mnemonic, "rep") || access.len >= WORD_MAX)
			add_fact(s, "N\t%s\t%s:%u", s->function, s->file ? s->file : "", s->line);
		else
			add_hook(s, &access);
	}
	s->after_jump = starts(mnemonic, "jmp") || starts(mnemonic, "ret");
	use_names(s, at, is_call ? USE_CALLED : USE_NAMED);
}

static void read_label(struct scan *s, const char *text, size_t len)
{
	struct name *one;

	if (s->after_jump) /* whether a hook was called where it comes from is not known */
		s->unseen.hooked = 0;
	s->after_jump = false;
	if (starts(text, ".L"))
		return;
	one = define(s, text, len);
	if (!one->is_function)
		return;
	s->function = one->text;
	asm_unseen_start(&s->unseen, s->is_clangs, (s->is_clangs || s->has_nested) && one->lends_frame);
}

/* ---- inline assembler ---- */

/* One statement with single blanks and without blanks around commas. */
static void normalise(const char *text, size_t len, char *out, size_t room)
{
	size_t used = 0;

	for (size_t i = 0; i < len && used + 1 < room; i++) {
		bool is_blank = text[i] == ' ' || text[i] == '\t';

		if (is_blank && (!used || out[used - 1] == ' ' || out[used - 1] == ','))
			continue;
		if (text[i] == ',' && used && out[used - 1] == ' ')
			used--;
		out[used++] = is_blank ? ' ' : text[i];
	}
	while (used && out[used - 1] == ' ')
		used--;
	out[used] = '\0';
}

bool asm_is_harmless(const char *statement)
{
	char one[WORD_MAX];

	normalise(statement, strlen(statement), one, sizeof(one));
	if (!one[0])
		return true;
	for (size_t i = 0; i < LENGTH(harmless); i++)
		if (strcmp(harmless[i], one) == 0)
			return true;
	for (size_t i = 0; i < LENGTH(directives); i++) {
		size_t len = strlen(directives[i]);

		if (strncmp(directives[i], one, len) == 0 && (one[len] == ' ' || !one[len]))
			return true;
	}
	return false;
}

static bool makes_data(const char *statement)
{
	return starts(statement, ".byte") || starts(statement, ".long") ||
	       starts(statement, ".quad") || starts(statement, ".asciz") ||
	       starts(statement, ".ascii") || starts(statement, ".string") ||
	       starts(statement, ".zero") || starts(statement, ".4byte") ||
	       starts(statement, ".8byte") || starts(statement, ".2byte");
}

static void read_asm_statement(struct scan *s, const char *text, size_t len)
{
	char one[WORD_MAX];
	size_t label;

	normalise(text, len, one, sizeof(one));
	label = strspn(one, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789");
	if (one[label] == ':') {
		define(s, one, label);
		normalise(one + label + 1, strlen(one + label + 1), one, sizeof(one));
	}
	if (starts(one, ".pushsection") || starts(one, ".section")) {
		s->asm_in_code = strstr(one, ".text") || strstr(one, "\"ax");
		s->has_note |= strstr(one, ".note.fermata") != NULL;
	}
	if (starts(one, ".popsection") || starts(one, ".previous") || starts(one, ".text"))
		s->asm_in_code = true;
	if (starts(one, ".loc "))
		read_location(s, one + 5);
	if (asm_is_harmless(one) || (makes_data(one) && !s->asm_in_code))
		return;
	add_fact(s, "I\t%s:%u\t%.60s", s->file ? s->file : "", s->line, one);
}

/* "lock; addl $0,0(%rsp)" is one instruction: the prefix belongs to the statement behind it. */
static bool is_lock(const char *text, size_t len)
{
	char one[WORD_MAX];

	normalise(text, len, one, sizeof(one));
	return strcmp(one, "lock") == 0;
}

static void read_asm_line(struct scan *s, char *line)
{
	for (char *at = line; *at;) {
		size_t len = 0;
		bool quoted = false;

		while (at[len] && (quoted || (at[len] != ';' && at[len] != '#'))) {
			quoted ^= at[len] == '"';
			len++;
		}
		if (at[len] == ';' && is_lock(at, len)) {
			at[len] = ' ';
			continue;
		}
		read_asm_statement(s, at, len);
		if (at[len] != ';')
			return;
		at += len + 1;
	}
}

/* ---- lines ---- */

/* "#APP", "#NO_APP", `# 12 "main.c" 1`, and clang's words around file-scope assembler. */
static void read_comment(struct scan *s, const char *line)
{
	char file[LINE_MAX_LEN];
	unsigned number;

	if (starts(line, "#APP") || strstr(line, "Start of file scope inline assembly"))
		s->in_asm = s->asm_in_code = true;
	else if (starts(line, "#NO_APP") || strstr(line, "End of file scope inline assembly"))
		s->in_asm = false;
	else if (s->in_asm && sscanf(line, "# %u \"%4095[^\"]\"", &number, file) == 2 && number) {
		s->file = arena_strdup(&s->arena, file);
		s->line = number;
	}
}

static void read_line(struct scan *s, char *line)
{
	char *at = line + strspn(line, " \t"), *end;
	size_t word;

	if (*at == '#') {
		read_comment(s, at);
		return;
	}
	if (s->in_asm) {
		read_asm_line(s, at);
		return;
	}
	word = strcspn(at, ": \t");
	if (at[word] == ':' && at[0] != '"') {
		read_label(s, at, word);
		at += word + 1;
		at += strspn(at, " \t");
		word = strcspn(at, " \t");
	}
	if (!*at || *at == '#')
		return;
	end = at + word;
	if (*end)
		*end++ = '\0';
	end += strspn(end, " \t");
	(*at == '.' ? read_directive : read_instruction)(s, at, end);
}

/* Constant data may stand behind the functions that read it, and so may the name of the compiler, and the
 * place where a function takes the address of a local. */
static void look_ahead(struct scan *s, char *line)
{
	char *at = line + strspn(line, " \t");
	size_t word = strcspn(at, ": \t");

	if (starts(at, ".ident") && strstr(at, "clang"))
		s->is_clangs = true;
	s->is_wide |= asm_is_wide(at);
	s->has_nested |= starts(at, ".section") && strstr(at, ".note.GNU-stack,\"x\"");
	if (at[word] == ':' && !starts(at, ".L") && *at != '#')
		s->function = name_of(s, at, word)->text;
	else if (s->function && at != line && asm_takes_local(at, at + word + strspn(at + word, " \t")))
		name_of(s, s->function, strlen(s->function))->lends_frame = true;

	if (*at == '.' && at[word] != ':') {
		char *end = at + word + strspn(at + word, " \t");

		if (starts(at, ".section") || starts(at, ".text") || starts(at, ".data") ||
		    starts(at, ".bss"))
			read_section(s, at, end);
	} else if (at[word] == ':' && s->in_constants && !starts(at, ".L")) {
		name_of(s, at, word)->constant = true;
	}
}

static void each_line(struct scan *s, const char *text, void (*read)(struct scan *, char *))
{
	struct strbuf line = {0};

	while (*text) {
		size_t len = strcspn(text, "\n");

		strbuf_clear(&line);
		strbuf_add(&line, text, len);
		read(s, line.text);
		if (read == read_line) {
			strbuf_add(s->text, text, len);
			strbuf_addc(s->text, '\n');
		}
		text += len + (text[len] == '\n');
	}
	strbuf_release(&line);
}

bool asm_scan(const char *text, struct strbuf *out, struct strbuf *hooked)
{
	struct scan s = {.out = out, .text = hooked};
	bool has_note;

	each_line(&s, text, look_ahead);
	s.function = NULL;
	s.in_constants = s.in_code = s.in_debug = false;
	each_line(&s, text, read_line);
	add_uses(&s);
	has_note = s.has_note;
	vec_release(&s.names);
	vec_release(&s.files);
	map_release(&s.by_text);
	arena_release(&s.arena);
	return has_note;
}

void asm_facts_as_section(const struct strbuf *facts, struct strbuf *out)
{
	strbuf_adds(out, "\n\t.section " ASM_USES_SECTION ",\"\",@progbits\n\t.asciz \"O\"\n");
	for (size_t at = 0; at < facts->len;) {
		strbuf_adds(out, "\t.asciz \"");
		for (; facts->text[at]; at++) {
			char c = facts->text[at];

			if (c == '"' || c == '\\')
				strbuf_addc(out, '\\');
			if (c == '\t')
				strbuf_adds(out, "\\t");
			else
				strbuf_addc(out, c);
		}
		strbuf_adds(out, "\"\n");
		at++;
	}
}
