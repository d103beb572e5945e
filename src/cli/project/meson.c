#include <ctype.h>
#include <string.h>

#include "cli/project/found.h"

static const char FILE_NAME[] = "meson.build";

/* exe = executable('target', …), in any folder of the project. */
struct target {
	const char *variable, *folder, *name;
};

struct meson {
	VEC(struct target) targets;
};

static const char *folder_of(struct found *found, const char *path)
{
	return arena_printf(&found->arena, "%.*s", (int)(strlen(path) - strlen(FILE_NAME)), path);
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void visit_targets(struct found *found, void *ctx, const char *path, const char *name)
{
	static const char call[] = "executable(";
	struct strbuf text = {0};
	struct meson *meson = ctx;

	if (strcmp(name, FILE_NAME) == 0 && found_read(path, '#', &text)) {
		const char *all = strbuf_text(&text);

		for (const char *at = all; (at = strstr(at, call));) {
			const char *end = at, *from;

			while (end > all && strchr(" \t=", end[-1]))
				end--;
			for (from = end; from > all && is_name(from[-1]);)
				from--;
			at += strlen(call);
			*vec_push(&meson->targets) = (struct target){
				arena_printf(&found->arena, "%.*s", (int)(end - from), from),
				folder_of(found, path), found_take_word(found, &at)};
		}
	}
	strbuf_release(&text);
}

static const struct target *find_target(const struct meson *meson, const char *variable)
{
	for (size_t i = 0; i < meson->targets.len; i++)
		if (meson->targets.items[i].name &&
		    strcmp(meson->targets.items[i].variable, variable) == 0)
			return &meson->targets.items[i];
	return NULL;
}

/* The words of the list that begins at *at with [. */
static void take_list(struct found *found, const char *at, struct word_vec *words)
{
	char *word;

	at += strspn(at, " \t\n:");
	if (*at++ != '[')
		return;
	for (;;) {
		at += strspn(at, " \t\n,");
		if (*at == ']' || !(word = found_take_word(found, &at)))
			return;
		*vec_push(words) = arena_printf(&found->arena, "%.*s", (int)strcspn(word, "]"), word);
	}
}

/* test(title, program, args: […]). Of a title that is the variable of a loop over a list, one test
 * for each value. */
static void read_call(struct found *found, const struct meson *meson, const char *text,
		      const char *at, const char *path)
{
	struct word_vec titles = {0}, arguments = {0};
	bool is_quoted = *at == '\'';
	const char *end = at + strcspn(at, ")"), *title = found_take_word(found, &at), *word, *in_loop;
	const struct target *target;

	word = title ? found_take_word(found, &at) : NULL;
	target = word ? find_target(meson, word) : NULL;
	in_loop = strstr(at, "args");
	if (in_loop && in_loop < end)
		take_list(found, in_loop + strlen("args"), &arguments);
	if (is_quoted)
		*vec_push(&titles) = title;
	else if (title && (in_loop = strstr(text, arena_printf(&found->arena, "foreach %s :", title))))
		take_list(found, in_loop + strcspn(in_loop, ":"), &titles);
	if (!target || !titles.len)
		found_note(found, "test(%s) in %s: its program or its name is not understood",
			   title ? title : "", path);
	for (size_t i = 0; target && i < titles.len; i++) {
		struct word_vec words = {0};
		struct found_program program = {.name = titles.items[i], .arguments = &words};

		program.path = arena_printf(&found->arena, "build-fermata/%s%s", target->folder,
					    target->name);
		for (size_t a = 0; a < arguments.len; a++)
			*vec_push(&words) = !is_quoted && strcmp(arguments.items[a], title) == 0
						    ? titles.items[i]
						    : arguments.items[a];
		found_add_program(found, &program, path);
		vec_release(&words);
	}
	vec_release(&titles);
	vec_release(&arguments);
}

static void visit_tests(struct found *found, void *ctx, const char *path, const char *name)
{
	struct strbuf text = {0};

	if (strcmp(name, FILE_NAME) == 0 && found_read(path, '#', &text)) {
		const char *all = strbuf_text(&text);

		for (const char *at = all; (at = strstr(at, "test("));) {
			bool is_call = at == all || !is_name(at[-1]);

			at += strlen("test(");
			if (is_call)
				read_call(found, ctx, all, at, path);
		}
	}
	strbuf_release(&text);
}

void found_read_meson(struct found *found)
{
	struct meson meson = {0};

	found_walk(found, visit_targets, &meson);
	found_walk(found, visit_tests, &meson);
	vec_release(&meson.targets);
}
