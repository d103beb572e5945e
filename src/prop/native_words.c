/* native_words.c: calls of a C model as text, as source and as JSON. */
#include <inttypes.h>
#include <string.h>

#include "prop/native_own.h"

static const struct native_model *native_of(const struct model *self)
{
	return (const struct native_model *)self;
}

static const struct fermata_area_command *command_of(const struct native_model *m,
						     const struct fermata_area_call *call)
{
	return &m->area->commands[call->command];
}

void native_print_call(struct model *self, uint32_t handle, struct strbuf *out)
{
	const struct native_model *m = native_of(self);
	const struct fermata_area_call *call = native_call(m, handle);

	strbuf_addf(out, "%s(", command_of(m, call)->name);
	for (uint32_t a = 0; a < command_of(m, call)->args_len; a++)
		strbuf_addf(out, "%s%" PRId64, a ? ", " : "", call->args[a]);
	strbuf_addc(out, ')');
}

void native_print_value(struct model *self, uint32_t value, struct strbuf *out)
{
	strbuf_addf(out, "%" PRId64, *(const int64_t *)intern_get(&native_of(self)->values, value));
}

/* Counts and errors: 0, 1, 2 … and -1. */
uint32_t native_likely_value(struct model *self, uint32_t nth)
{
	enum { LAST = 16 };
	int64_t value = nth == LAST ? -1 : (int64_t)nth;

	return nth <= LAST ? intern_put(&((struct native_model *)self)->values, &value) : 0;
}

static void print_entry(const struct native_model *m, const struct prop_call *from,
			struct strbuf *out)
{
	const struct fermata_area_call *call = native_call(m, from->handle);
	uint32_t args_len = command_of(m, call)->args_len;

	strbuf_addf(out, "\t\t{%u, \"%s\", {", from->branch, command_of(m, call)->name);
	for (uint32_t a = 0; a < args_len; a++)
		strbuf_addf(out, "%s%" PRId64, a ? ", " : "", call->args[a]);
	strbuf_adds(out, args_len ? "}},\n" : "0}},\n");
}

void native_print_source(struct model *self, const struct prop_test *test, struct strbuf *out)
{
	const struct native_model *m = native_of(self);

	strbuf_addf(out,
		    "/* A test that failed: branch 0 runs first, then the others in parallel.\n"
		    " * Build it with the model and try every schedule:\n"
		    " *     fermata cc -pthread -DFERMATA_NO_MAIN -o regression THIS_FILE %s …\n"
		    " *     fermata test -- ./regression\n"
		    " */\n"
		    "#include <fermata/model.h>\n\n"
		    "extern const struct fermata_model %s;\n\n"
		    "int main(void)\n{\n"
		    "\tstatic const struct fermata_call calls[] = {\n",
		    m->area->file, m->area->symbol);
	for (uint32_t i = 0; i < test->len; i++)
		print_entry(m, &test->calls[i], out);
	strbuf_addf(out, "\t};\n\n"
		    "\treturn fermata_regression(&%s, calls, sizeof(calls) / sizeof(calls[0]));\n"
		    "}\n", m->area->symbol);
}

json_t *native_save(struct model *self, const struct prop_test *test)
{
	const struct native_model *m = native_of(self);
	json_t *calls = json_array();

	for (uint32_t i = 0; i < test->len; i++) {
		const struct fermata_area_call *call = native_call(m, test->calls[i].handle);
		json_t *args = json_array();

		for (uint32_t a = 0; a < command_of(m, call)->args_len; a++)
			json_array_append_new(args, json_integer(call->args[a]));
		json_array_append_new(calls, json_pack("{s:i, s:s, s:o}", "branch",
						       (int)test->calls[i].branch, "command",
						       command_of(m, call)->name, "args", args));
	}
	return json_pack("{s:i, s:o}", "branches", (int)test->branches_len, "calls", calls);
}

static bool load_call(struct native_model *m, const json_t *json, uint32_t least_branch,
		      struct prop_call *out)
{
	struct fermata_area_call call = {0};
	const char *name;
	const json_t *args;
	int branch;

	if (json_unpack((json_t *)json, "{s:i, s:s, s:o}", "branch", &branch, "command", &name,
			"args", &args) != 0 || branch < (int)least_branch ||
	    branch > PROP_BRANCHES_MAX)
		return false;
	while (call.command < m->area->commands_len &&
	       strcmp(m->area->commands[call.command].name, name) != 0)
		call.command++;
	if (call.command == m->area->commands_len ||
	    json_array_size(args) != m->area->commands[call.command].args_len)
		return false;
	for (size_t a = 0; a < json_array_size(args); a++)
		call.args[a] = json_integer_value(json_array_get(args, a));
	*out = (struct prop_call){intern_put(&m->calls, &call), (uint32_t)branch};
	return true;
}

bool native_load(struct model *self, const json_t *json, struct prop_test *test, struct err *err)
{
	struct native_model *m = (struct native_model *)self;
	const json_t *calls = json_object_get(json, "calls");
	json_int_t branches = json_integer_value(json_object_get(json, "branches"));
	bool ok = json_array_size(calls) <= PROP_CALLS_MAX && branches >= 0 &&
		  branches <= PROP_BRANCHES_MAX && json_is_array(calls);

	*test = (struct prop_test){.branches_len = (uint32_t)branches};
	for (size_t i = 0; ok && i < json_array_size(calls); i++) {
		uint32_t least = i ? test->calls[i - 1].branch : 0;

		ok = load_call(m, json_array_get(calls, i), least, &test->calls[i]) &&
		     test->calls[i].branch <= branches;
		test->len++;
	}
	return ok ||
	       err_set(err, "the test in the finding does not fit the model of %s", m->program);
}
