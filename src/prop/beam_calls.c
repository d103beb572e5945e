#include "prop/beam_calls.h"

#include <stdlib.h>

#include "base/mem.h"
#include "prop/beam_driver.h"
#include "vm/terms/print.h"

/* In the text of a call a variable is a number between two of these bytes. */
enum { VARIABLE_MARK = 1 };

uint32_t beam_calls_add(struct beam_calls *calls, term command, uint32_t state, uint32_t var)
{
	struct beam_call call = {.state = state, .command = beam_terms_put(&calls->terms, command),
				 .call = beam_terms_put(&calls->terms, tuple_element(command, 1)),
				 .uses_first = (uint32_t)calls->numbers.len};
	struct strbuf text = {0};

	print_chars(tuple_element(command, 2), &text);
	call.text = mem_strdup(strbuf_text(&text));
	strbuf_release(&text);
	for (term list = tuple_element(command, 3); term_is_cons(list); list = cons_tail(list))
		*vec_push(&calls->numbers) = (uint32_t)small_value(cons_head(list));
	call.uses_len = (uint32_t)calls->numbers.len - call.uses_first;
	call.var = var ? var : (uint32_t)calls->items.len + 1;
	*vec_push(&calls->items) = call;
	return (uint32_t)calls->items.len;
}

void beam_calls_clear(struct beam_calls *calls)
{
	for (size_t i = 0; i < calls->items.len; i++)
		mem_free(calls->items.items[i].text);
	calls->items.len = calls->numbers.len = 0;
	beam_terms_clear(&calls->terms);
}

void beam_calls_release(struct beam_calls *calls)
{
	beam_calls_clear(calls);
	vec_release(&calls->items);
	vec_release(&calls->numbers);
	beam_terms_release(&calls->terms);
}

bool beam_call_uses(const struct beam_calls *calls, uint32_t handle, uint32_t var)
{
	const struct beam_call *call = beam_call_of(calls, handle);

	for (uint32_t i = 0; i < call->uses_len; i++)
		if (calls->numbers.items[call->uses_first + i] == var)
			return true;
	return false;
}

/* ---- words ---- */

static void print_variable(const struct beam_calls *calls, const struct prop_test *test,
			   uint32_t var, struct strbuf *out)
{
	uint32_t i = 0;

	while (i < test->len && beam_call_of(calls, test->calls[i].handle)->var != var)
		i++;
	strbuf_addf(out, "V%u", i < test->len ? i + 1 : var);
}

static void print_text(const struct beam_calls *calls, const struct prop_test *test,
		       const char *text, struct strbuf *out)
{
	while (*text) {
		char *end;

		if (*text != VARIABLE_MARK) {
			strbuf_addc(out, *text++);
			continue;
		}
		print_variable(calls, test, (uint32_t)strtoul(text + 1, &end, 10), out);
		text = end + (*end == VARIABLE_MARK);
	}
}

void beam_call_print(const struct beam_calls *calls, const struct prop_test *test, uint32_t handle,
		     struct strbuf *out)
{
	const struct beam_call *call = beam_call_of(calls, handle);

	for (uint32_t i = 0; i < test->len; i++)
		if (beam_call_uses(calls, test->calls[i].handle, call->var)) {
			print_variable(calls, test, call->var, out);
			strbuf_adds(out, " = ");
			break;
		}
	print_text(calls, test, call->text, out);
}

/* ---- files ---- */

/* With its words for readers and its terms for us. */
static json_t *save_call(const struct beam_calls *calls, const struct prop_test *test, uint32_t i)
{
	const struct beam_call *call = beam_call_of(calls, test->calls[i].handle);
	struct strbuf text = {0}, command = {0}, state = {0};
	json_t *json;

	print_text(calls, test, call->text, &text);
	beam_terms_add_hex(&calls->terms, call->command, &command);
	beam_terms_add_hex(&calls->terms, call->state, &state);
	json = json_pack("{s:i, s:i, s:s, s:s, s:s}", "branch", (int)test->calls[i].branch,
			 "variable", (int)call->var, "call", strbuf_text(&text), "command",
			 strbuf_text(&command), "state", strbuf_text(&state));
	strbuf_release(&text);
	strbuf_release(&command);
	strbuf_release(&state);
	return json;
}

json_t *beam_calls_save(const struct beam_calls *calls, const struct prop_test *test)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < test->len; i++)
		json_array_append_new(array, save_call(calls, test, i));
	return json_pack("{s:i, s:o}", "branches", (int)test->branches_len, "calls", array);
}

static bool load_call(struct beam_calls *calls, json_t *json, struct process *p,
		      struct prop_call *out)
{
	const char *command, *state;
	int branch, var;
	uint32_t command_handle, state_handle;
	term t;

	if (json_unpack(json, "{s:i, s:i, s:s, s:s}", "branch", &branch, "variable", &var,
			"command", &command, "state", &state) != 0 ||
	    branch < 0 || branch > PROP_BRANCHES_MAX || var < 1)
		return false;
	command_handle = beam_terms_put_hex(&calls->terms, command, p);
	state_handle = beam_terms_put_hex(&calls->terms, state, p);
	if (!command_handle || !state_handle)
		return false;
	t = beam_terms_get(&calls->terms, command_handle, p);
	if (!term_is_tuple_of(t, 4))
		return false;
	*out = (struct prop_call){.branch = (uint32_t)branch,
				  .handle = beam_calls_add(calls, t, state_handle, (uint32_t)var)};
	return true;
}

bool beam_calls_load(struct beam_calls *calls, const json_t *json, struct process *p,
		     struct prop_test *test, struct err *err)
{
	json_t *list;
	int branches;

	*test = (struct prop_test){0};
	if (json_unpack((json_t *)json, "{s:i, s:o}", "branches", &branches, "calls", &list) != 0 ||
	    branches < 0 || branches > PROP_BRANCHES_MAX || json_array_size(list) > PROP_CALLS_MAX)
		return err_set(err, "the finding does not hold the test");
	test->branches_len = (uint32_t)branches;
	for (; test->len < json_array_size(list); test->len++) {
		struct prop_call *call = &test->calls[test->len];

		if (!load_call(calls, json_array_get(list, test->len), p, call) ||
		    call->branch > test->branches_len ||
		    (test->len && call->branch < call[-1].branch))
			return err_set(err, "call %u of the finding's test is damaged",
				       test->len + 1);
	}
	return true;
}
