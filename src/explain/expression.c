#include "explain/expression.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum { EXPRESSION_MAX = 40 };

/* Functions whose first argument is the object. */
static const char *const functions[] = {
	"pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_",
	"pthread_once",   "sem_",          "mtx_",            "cnd_",          "atomic_",
	"__atomic_",      "__sync_",       "call_once",
};

/* C++: a variable of such a type is made with the object as its first argument. */
static const char *const guards[] = {"lock_guard", "unique_lock", "scoped_lock", "shared_lock"};

/* C++: the object stands before such a member. */
static const char *const members[] = {
	"lock()",      "unlock()", "try_lock",	"lock_shared",	    "unlock_shared", "load(",
	"store(",      "fetch_",   "exchange(", "compare_exchange", "wait(",	     "wait_for(",
	"wait_until(", "notify_",  "acquire(",	"release(",	    "arrive",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Where the word begins in the line as a word of its own; NULL if nowhere. */
static const char *find_word(const char *line, const char *word)
{
	for (const char *at = line; (at = strstr(at, word)); at++)
		if (at == line || !is_name(at[-1]))
			return at;
	return NULL;
}

/* Appends [from, end) without blanks and a leading '&'. */
static bool add(const char *from, const char *end, struct strbuf *out)
{
	while (from < end && (isspace((unsigned char)*from) || *from == '&'))
		from++;
	while (end > from && isspace((unsigned char)end[-1]))
		end--;
	if (from == end || end - from > EXPRESSION_MAX ||
	    !(is_name(*from) || *from == '*' || *from == '('))
		return false;
	strbuf_add(out, from, (size_t)(end - from));
	return true;
}

/* The first argument of a call whose parenthesis is at `open`. */
static bool add_argument(const char *open, struct strbuf *out)
{
	const char *end = open + 1;
	int depth = 0;

	for (; *end && (depth || (*end != ',' && *end != ')')); end++)
		depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
	return *end && add(open + 1, end, out);
}

/* The expression that ends before `end`: names, "->", ".", "::", and what is in brackets. */
static bool add_before(const char *line, const char *end, struct strbuf *out)
{
	const char *from = end;
	int depth = 0;

	while (from > line) {
		char c = from[-1];

		depth += (c == ')' || c == ']') - (c == '(' || c == '[');
		if (depth < 0 || (!depth && !is_name(c) && !strchr(".->:[](", c)))
			break;
		from--;
	}
	return add(from, end, out);
}

/* Is it a word for conditions? "wait(" and "notify_" are also members of atomics. */
static bool is_of_condition(const char *word)
{
	return strstr(word, "cond_") || strstr(word, "cnd_") || strncmp(word, "wait", 4) == 0 ||
	       strncmp(word, "notify_", 7) == 0;
}

static bool may_name(const char *word, enum expression_kind kind)
{
	return kind == EXPRESSION_ANY || (kind == EXPRESSION_CONDITION) == is_of_condition(word);
}

static bool add_of_member(const char *line, enum expression_kind kind, struct strbuf *out)
{
	for (size_t i = 0; i < COUNT(members); i++) {
		const char *at = may_name(members[i], kind) ? find_word(line, members[i]) : NULL;

		if (at && at > line && at[-1] == '.')
			return add_before(line, at - 1, out);
		if (at && at > line + 1 && at[-1] == '>' && at[-2] == '-')
			return add_before(line, at - 2, out);
	}
	return false;
}

bool expression_in(const char *line, enum expression_kind kind, struct strbuf *out)
{
	for (size_t i = 0; i < COUNT(functions); i++) {
		const char *at = may_name(functions[i], kind) ? find_word(line, functions[i])
							      : NULL;
		const char *open = at ? strchr(at, '(') : NULL;

		if (open && (size_t)(open - at) == strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789"))
			return add_argument(open, out);
	}
	for (size_t i = 0; i < COUNT(guards) && kind != EXPRESSION_CONDITION; i++) {
		const char *at = find_word(line, guards[i]), *open = at ? strpbrk(at, "({") : NULL;

		if (open)
			return add_argument(open, out);
	}
	return add_of_member(line, kind, out);
}

/* How often one of the beginnings of words stands in the line; *first is the first place. */
static uint32_t count_words(const char *line, const char *const *words, size_t words_len,
			    const char **first)
{
	uint32_t count = 0;

	for (size_t i = 0; i < words_len; i++)
		for (const char *at = line; (at = find_word(at, words[i])); at++) {
			count++;
			if (!*first || at < *first)
				*first = at;
		}
	return count;
}

bool expression_of_atomic(const char *line, struct strbuf *out)
{
	static const char *const calls[] = {"atomic_", "__atomic_", "__sync_"};
	static const char *const operations[] = {"load(", "store(", "fetch_", "exchange(",
						 "compare_exchange"};
	const char *call = NULL, *operation = NULL;
	uint32_t calls_len = count_words(line, calls, COUNT(calls), &call);
	uint32_t operations_len = count_words(line, operations, COUNT(operations), &operation);

	if (calls_len + operations_len != 1)
		return false;
	if (call) {
		const char *open = strchr(call, '(');
		size_t name = strspn(call, "abcdefghijklmnopqrstuvwxyz_0123456789");

		return open && (size_t)(open - call) == name && add_argument(open, out);
	}
	return add_of_member(line, EXPRESSION_ANY, out);
}

/* Is there an operator that writes at `at`? Returns its length, or 0. */
static size_t operator_len(const char *line, const char *at)
{
	if ((at[0] == '+' && at[1] == '+') || (at[0] == '-' && at[1] == '-'))
		return 2;
	if (at[0] != '=' || at[1] == '=')
		return 0;
	return at > line && strchr("=!<>", at[-1]) ? 0 : 1;
}

bool expression_written(const char *line, struct strbuf *out)
{
	const char *found = NULL, *from, *end, *start;
	size_t len = 0;

	for (const char *at = line; *at && !(at[0] == '/' && at[1] == '/'); at++) {
		size_t here = operator_len(line, at);

		if (!here)
			continue;
		if (found)
			return false; /* which of the two is meant is not known */
		found = at;
		len = here;
		at += here - 1;
	}
	if (!found)
		return false;
	if (len == 2 && (is_name(found[2]) || found[2] == '*')) { /* ++x */
		for (end = found + 2; is_name(*end) || (*end && strchr("*.->[]", *end)); end++)
			;
		return add(found + 2, end, out);
	}
	end = found;
	while (end > line && strchr("+-*/%&|^ \t", end[-1])) /* "+=", blanks */
		end--;
	for (from = end; from > line && (is_name(from[-1]) || strchr(".->[]:*", from[-1])); from--)
		;
	/* A declaration has a type in front, which writes a new variable. */
	for (start = from; start > line && !strchr(";{}", start[-1]); start--)
		;
	if (len == 1 && strspn(start, " \t") != (size_t)(from - start))
		return false;
	return add(from, end, out);
}
