/* container.c: the nodes of std::list, std::map and their like, in the words of the source.
 *
 * The library allocates the nodes and links them, so the source has no name for one. Its container has, where the
 * program calls a function of the container: `jobs.erase(it)` changes "a node of jobs". An iterator does not say
 * whose nodes it goes over: "a node of a std::list<int>", or "a node of a map", because those of std::map and
 * std::multimap have one type. */
#include <ctype.h>
#include <string.h>

#include "core/object.h"
#include "explain/parts.h"

static const char node_of[] = "a node of ";

bool explain_is_node(const char *name)
{
	return strncmp(name, node_of, strlen(node_of)) == 0;
}

static bool begins(const char *text, const char *words)
{
	return strncmp(text, words, strlen(words)) == 0;
}

static bool is_container(const char *function)
{
	static const char *const classes[] = {"std::list<", "std::forward_list<", "std::map<", "std::multimap<",
					      "std::set<", "std::multiset<", "std::unordered_map<",
					      "std::unordered_multimap<", "std::unordered_set<",
					      "std::unordered_multiset<"};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (begins(function, classes[i]))
			return true;
	return false;
}

/* The function by which the program comes to the access, which is in a library, or NULL. */
static const char *find_called(struct explainer *x, uint32_t plain, struct target_frame frames[FRAMES_MAX],
			       uint32_t *user)
{
	uint32_t len = explain_stack(x->target, plain | (uint32_t)TARGET_OF_PLAIN, x->trace->plains[plain].actor,
				     frames);

	*user = explain_find_user(frames, len);
	return *user > 0 && *user < len ? frames[*user - 1].function : NULL;
}

/* ---- the container by its name ---- */

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The length of the expression that ends before `end`: "pool.jobs", "self->jobs". */
static size_t expression_before(const char *line, const char *end)
{
	const char *at = end;

	while (at > line) {
		if (is_of_name(at[-1]))
			at--;
		else if (at[-1] == '.' && at - 1 > line && is_of_name(at[-2]) && at < end)
			at--;
		else if (at - 2 > line && at[-1] == '>' && at[-2] == '-' && is_of_name(at[-3]) && at < end)
			at -= 2;
		else
			break;
	}
	return isdigit((unsigned char)*at) ? 0 : (size_t)(end - at);
}

/* The part of the line before ".erase(", if there is one, and no other container is used so. */
static bool find_expression(const char *line, const char *call, size_t *start, size_t *len)
{
	*len = 0;
	for (const char *at = line; (at = strstr(at, call)); at += strlen(call)) {
		size_t found = expression_before(line, at);

		if (!found)
			continue;
		if (*len && (*len != found || strncmp(line + *start, at - found, found) != 0))
			return false;
		*start = (size_t)(at - line) - found;
		*len = found;
	}
	return *len;
}

/* Appends "jobs" if the line calls the function of its class as `jobs.erase(…)`. Nodes change hands in some. */
static bool add_name(struct explainer *x, const char *function, const struct target_frame *user, struct strbuf *out)
{
	static const char *const moving[] = {"swap", "splice", "merge", "operator=", "~"};
	const char *method = function + explain_class_len(function) + 2;
	size_t method_len = strcspn(method, "<("), start = 0, len = 0;
	struct report_frame at = explain_frame(x, user);
	struct strbuf line = {0}, call = {0};

	for (size_t i = 0; i < sizeof(moving) / sizeof(moving[0]); i++)
		if (begins(method, moving[i]))
			return false;
	explain_read_line(&at, &line);
	strbuf_addf(&call, ".%.*s(", (int)method_len, method);
	if (begins(method, "operator[]"))
		(void)find_expression(strbuf_text(&line), "[", &start, &len);
	else if (!find_expression(strbuf_text(&line), strbuf_text(&call), &start, &len)) {
		strbuf_clear(&call);
		strbuf_addf(&call, "->%.*s(", (int)method_len, method);
		(void)find_expression(strbuf_text(&line), strbuf_text(&call), &start, &len);
	}
	strbuf_add(out, strbuf_text(&line) + start, len);
	strbuf_release(&line);
	strbuf_release(&call);
	return len;
}

/* ---- the container by the type of the node ---- */

/* Appends "a std::list<int>" for "_List_node<int>#2+8"; false, and nothing is appended, if it is not a node. */
static bool add_type(const char *node, struct strbuf *out)
{
	static const struct {
		const char *node, *container;
	} kinds[] = {
		{"_List_node<", "a std::list<"},
		{"_Fwd_list_node<", "a std::forward_list<"},
		{"_Rb_tree_node<std::pair<const ", "a map"},
		{"_Rb_tree_node<", "a set"},
		{"_Hash_node<std::pair<const ", "an unordered map"},
		{"_Hash_node<", "an unordered set"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *type = node + strlen(kinds[i].node), *end = strrchr(node, '>');

		if (!begins(node, kinds[i].node) || !end)
			continue;
		strbuf_adds(out, kinds[i].container);
		if (strchr(kinds[i].container, '<'))
			strbuf_add(out, type, (size_t)(end - type) + 1);
		return true;
	}
	return false;
}

bool explain_is_inside_node(const struct target_block *block)
{
	enum { LIST_LINKS = 16, TREE_LINKS = 32, OTHER_LINKS = 8 };
	struct strbuf type = {0};
	bool is_node = add_type(block->field, &type);

	strbuf_release(&type);
	return is_node && block->offset >= (begins(block->field, "_List_node<")      ? LIST_LINKS
					    : begins(block->field, "_Rb_tree_node<") ? TREE_LINKS
										     : OTHER_LINKS);
}

bool explain_node(struct explainer *x, uint64_t object, const struct target_block *block, struct strbuf *out)
{
	struct target_frame frames[FRAMES_MAX];
	struct strbuf name = {0}, type = {0};
	bool is_node = add_type(block->field, &type);

	for (uint32_t i = 0; i < x->trace->plains_len && is_node && !name.len; i++) {
		uint32_t user;
		const char *function = OBJECT(OBJECT_MEMORY, x->trace->plains[i].address) == object
					       ? find_called(x, i, frames, &user) : NULL;

		if (function && is_container(function))
			(void)add_name(x, function, &frames[user], &name);
	}
	if (is_node)
		strbuf_addf(out, "%s%s", node_of, strbuf_text(name.len ? &name : &type));
	strbuf_release(&name);
	strbuf_release(&type);
	return is_node;
}
