#include "native/demangle.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *demangle(struct demangler *demangler, const char *name)
{
	int status = -1;

	if (strncmp(name, "_Z", 2) != 0)
		return NULL;
	if (!demangler->has_looked) {
		void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);

		demangler->has_looked = true;
		if (library)
			*(void **)&demangler->call = dlsym(library, "__cxa_demangle");
	}
	return demangler->call ? demangler->call(name, NULL, NULL, &status) : NULL;
}

void demangle_add(struct strbuf *out, const char *name, size_t room)
{
	struct demangler demangler = {0};
	char copy[512], *readable;

	snprintf(copy, sizeof(copy), "%.*s", (int)room, name);
	readable = demangle(&demangler, copy);
	strbuf_adds(out, readable ? readable : copy);
	free(readable);
}

/* ---- short names ---- */

/* Where the last list of parameters begins: the length of "ns::f" in "ns::f(int, char) const". */
static size_t length_without_parameters(const char *name)
{
	const char *close = strrchr(name, ')');
	int depth = 0;

	if (!close || (close[1] && strcmp(close + 1, " const") != 0))
		return strlen(name);
	for (const char *at = close; at > name; at--) {
		depth += (*at == ')') - (*at == '(');
		if (depth == 0)
			return (size_t)(at - name);
	}
	return strlen(name);
}

/* The length of "operator<<" at the start of a name. 0 if the name does not begin with an operator
 * whose signs are like brackets. */
static size_t operator_length(const char *at)
{
	static const char word[] = "operator";
	static const char *const signs[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->",
					    "<", ">"};

	if (strncmp(at, word, strlen(word)) != 0)
		return 0;
	at += strlen(word);
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (strncmp(at, signs[i], strlen(signs[i])) == 0)
			return strlen(word) + strlen(signs[i]);
	return 0;
}

/* How deep a place in a name is in brackets. Inside of round ones a '>' may be a comparison. */
struct depth {
	int angle, round;
};

static void pass(struct depth *depth, char c)
{
	depth->round += (c == '(' || c == '{') - (c == ')' || c == '}');
	if (depth->round == 0)
		depth->angle += (c == '<') - (c == '>');
}

static bool is_outside(const struct depth *depth)
{
	return depth->angle == 0 && depth->round == 0;
}

/* Where the name begins behind its type of result: at the last blank outside of all brackets. The
 * name of an operator may have blanks of its own. */
static const char *skip_result(const char *name, const char *end)
{
	const char *start = name;
	struct depth depth = {0};

	for (const char *at = name; at < end; at++) {
		if (is_outside(&depth) && (operator_length(at) ||
					   strncmp(at, "operator ", strlen("operator ")) == 0))
			break;
		pass(&depth, *at);
		if (is_outside(&depth) && *at == ' ')
			start = at + 1;
	}
	return start;
}

static bool begins(const char *at, const char *end, const char *word)
{
	return (size_t)(end - at) >= strlen(word) && strncmp(at, word, strlen(word)) == 0;
}

static bool is_default_argument(const char *at, const char *end)
{
	static const char *const usual[] = {"std::allocator<", "std::char_traits<", "std::less<",
					    "std::hash<", "std::equal_to<", "std::default_delete<"};

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (begins(at, end, usual[i]))
			return true;
	return false;
}

static void add_short(struct strbuf *out, const char *at, const char *end);

/* Adds the arguments of a template; `at` is behind its '<'. Returns the place of its '>'. */
static const char *add_arguments(struct strbuf *out, const char *at, const char *end)
{
	const char *from = at;
	struct depth depth = {0};
	int n = 0;

	strbuf_addc(out, '<');
	for (; at < end; at++) {
		bool is_last = is_outside(&depth) && *at == '>';

		if (is_last || (is_outside(&depth) && *at == ',')) {
			from += strspn(from, " ");
			if (n == 0 || !is_default_argument(from, at)) {
				strbuf_adds(out, n ? ", " : "");
				add_short(out, from, at - (at > from && at[-1] == ' '));
			}
			from = at + 1;
			n++;
		}
		if (is_last)
			break;
		pass(&depth, *at);
	}
	strbuf_addc(out, '>');
	return at;
}

static void add_short(struct strbuf *out, const char *at, const char *end)
{
	static const char inner[] = "__cxx11::", text[] = "basic_string<char>";
	size_t start = out->len;
	struct depth depth = {0};

	for (; at < end; at++) {
		size_t operator = operator_length(at);
		const char *found;

		if (operator) {
			strbuf_add(out, at, operator);
			at += operator - 1;
		} else if (begins(at, end, inner)) {
			at += strlen(inner) - 1;
		} else if (*at == '<' && depth.round == 0) {
			at = add_arguments(out, at + 1, end);
			found = out->len >= strlen(text) ? strbuf_text(out) + out->len - strlen(text)
							 : NULL;
			if (found && (size_t)(found - strbuf_text(out)) >= start &&
			    strcmp(found, text) == 0) {
				out->len -= strlen(text);
				strbuf_adds(out, "string");
			}
		} else {
			depth.round += (*at == '(') - (*at == ')');
			strbuf_addc(out, *at);
		}
	}
}

void demangle_shorten(struct strbuf *out, const char *readable)
{
	const char *end = readable + length_without_parameters(readable);

	add_short(out, skip_result(readable, end), end);
}
