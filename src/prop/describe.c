/* describe.c: a test and a run of it, for people. */
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "prop/linear.h"

enum { REASONS_MAX = 24, COLUMN_GAP = 3, REASON_STEPS = 2000, ALLOWED_MAX = 3, STATE_MAX = 80 };

/* ---- the picture ---- */

static void print_outcome(struct model *model, const struct prop_test *test, uint32_t i,
			  const struct prop_outcome *outcomes, struct strbuf *out)
{
	model->ops->print_call(model, test->calls[i].handle, out);
	if (!outcomes)
		return;
	if (outcomes[i].progress == PROP_RETURNED) {
		strbuf_adds(out, " = ");
		model->ops->print_value(model, outcomes[i].value, out);
	} else {
		strbuf_adds(out, outcomes[i].progress == PROP_BEGUN ? "  never returned"
								    : "  not called");
	}
}

/* Columns, not bytes: a character that continues another does not count. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static void add_padded(struct strbuf *out, const char *text, size_t width)
{
	strbuf_adds(out, text);
	for (size_t w = width_of(text); w < width; w++)
		strbuf_addc(out, ' ');
}

static void print_heads(const struct prop_test *test, const size_t *widths, struct strbuf *out)
{
	char head[32];

	strbuf_adds(out, "  ");
	for (uint32_t b = 1; b <= test->branches_len; b++) {
		snprintf(head, sizeof(head), "branch %u", b);
		add_padded(out, head, b < test->branches_len ? widths[b] + COLUMN_GAP : 0);
	}
	strbuf_addc(out, '\n');
}

static void print_rows(const struct prop_test *test, char *const *texts, const size_t *widths,
		       struct strbuf *out)
{
	struct places p = places_start(test);

	for (uint32_t row = 0;; row++) {
		bool any = false;
		size_t blank = 0;

		for (uint32_t b = 1; b <= test->branches_len; b++)
			any |= p.first[b] + row < p.first[b + 1];
		if (!any)
			return;
		strbuf_adds(out, "  ");
		for (uint32_t b = 1; b <= test->branches_len; b++) {
			uint32_t i = p.first[b] + row;

			if (i < p.first[b + 1]) {
				for (; blank; blank--)
					strbuf_addc(out, ' ');
				strbuf_adds(out, texts[i]);
				blank = widths[b] + COLUMN_GAP - width_of(texts[i]);
			} else {
				blank += widths[b] + COLUMN_GAP;
			}
		}
		strbuf_addc(out, '\n');
	}
}

void prop_print_picture(struct model *model, const struct prop_test *test,
			const struct prop_outcome *outcomes, struct strbuf *out)
{
	size_t widths[PROP_BRANCHES_MAX + 1];
	char *texts[PROP_CALLS_MAX];

	for (uint32_t b = 0; b <= PROP_BRANCHES_MAX; b++)
		widths[b] = strlen("branch 1");
	for (uint32_t i = 0; i < test->len; i++) {
		uint32_t b = test->calls[i].branch;
		struct strbuf text = {0};

		print_outcome(model, test, i, outcomes, &text);
		if (width_of(strbuf_text(&text)) > widths[b])
			widths[b] = width_of(strbuf_text(&text));
		texts[i] = strbuf_detach(&text);
	}
	for (uint32_t i = 0; i < test->len && test->calls[i].branch == 0; i++)
		strbuf_addf(out, "%s  %s\n", i ? "" : "  prefix\n", texts[i]);
	if (test->branches_len) {
		print_heads(test, widths, out);
		print_rows(test, texts, widths, out);
	}
	for (uint32_t i = 0; i < test->len; i++)
		mem_free(texts[i]);
}

/* ---- the reasons ---- */

struct reasons {
	struct model *model;
	const struct prop_test *test;
	const struct prop_outcome *outcomes;
	struct strbuf *out;
	struct places places;
	uint32_t order[PROP_CALLS_MAX];
	uint32_t told, steps_left;
};

struct allowed {
	uint32_t values[ALLOWED_MAX + 1];
	uint32_t len; /* more than ALLOWED_MAX: too many to name */
};

/* Does the model allow that the call gives the value? Then the value is noted. */
static void try_value(struct reasons *t, uint32_t state, uint32_t call, uint32_t value,
		      struct allowed *allowed)
{
	uint32_t next;

	for (uint32_t i = 0; i < allowed->len; i++)
		if (allowed->values[i] == value)
			return;
	if (allowed->len <= ALLOWED_MAX &&
	    t->model->ops->step(t->model, state, call, value, &next, NULL) == PROP_YES)
		allowed->values[allowed->len++] = value;
}

/* The results that the model allows instead: of those of all calls, and of those that are likely. */
static void find_allowed(struct reasons *t, uint32_t state, uint32_t wrong, struct allowed *allowed)
{
	const struct model_ops *ops = t->model->ops;
	uint32_t values[PROP_CALLS_MAX], value;

	for (uint32_t i = 0; i < t->test->len; i++)
		values[i] = t->outcomes[i].value; /* all have returned */
	if (ops->allowed_values)
		allowed->len = ops->allowed_values(t->model, state, values, t->test->len, wrong,
						   allowed->values, ALLOWED_MAX + 1);
	for (uint32_t i = 0; i < t->test->len && ops->likely_value; i++)
		try_value(t, state, t->test->calls[wrong].handle, values[i], allowed);
	for (uint32_t n = 0; ops->likely_value && (value = ops->likely_value(t->model, n)); n++)
		try_value(t, state, t->test->calls[wrong].handle, value, allowed);
}

/* "; the model allows 1 or 2", or else "; the state of the model is then 7". */
static void print_allowed(struct reasons *t, uint32_t state, uint32_t wrong)
{
	struct allowed allowed = {.len = 0};
	struct strbuf text = {0};

	find_allowed(t, state, wrong, &allowed);
	if (allowed.len && allowed.len <= ALLOWED_MAX) {
		for (uint32_t i = 0; i < allowed.len; i++) {
			strbuf_adds(t->out, i ? " or " : "; the model allows ");
			t->model->ops->print_value(t->model, allowed.values[i], t->out);
		}
	} else if (t->model->ops->print_state) {
		t->model->ops->print_state(t->model, state, &text);
		if (text.len <= STATE_MAX)
			strbuf_addf(t->out, "; the state of the model is then %s", strbuf_text(&text));
	}
	strbuf_release(&text);
}

/* "put(1), get(), then get() = 2 cannot be; the model allows 1" */
static void print_order(struct reasons *t, uint32_t state, uint32_t wrong)
{
	strbuf_adds(t->out, "  ");
	for (uint32_t i = 0; i + 1 < t->places.done; i++) {
		t->model->ops->print_call(t->model, t->test->calls[t->order[i]].handle, t->out);
		strbuf_adds(t->out, i + 2 < t->places.done ? ", " : ", then ");
	}
	print_outcome(t->model, t->test, wrong, t->outcomes, t->out);
	strbuf_adds(t->out, " cannot be");
	print_allowed(t, state, wrong);
	strbuf_addc(t->out, '\n');
}

/* False if there are too many reasons to print. */
static bool print_from(struct reasons *t, uint32_t state)
{
	for (uint32_t b = 0; b <= t->test->branches_len; b++) {
		enum prop_answer answer;
		uint32_t next, i;
		bool ok = true;

		if (!places_can(&t->places, b))
			continue;
		if (t->steps_left-- == 0)
			return false;
		i = t->order[t->places.done] = t->places.first[b] + t->places.taken[b];
		places_take(&t->places, b);
		answer = t->model->ops->step(t->model, state, t->test->calls[i].handle,
					     t->outcomes[i].value, &next, NULL);
		if (answer == PROP_YES)
			ok = print_from(t, next);
		else if (answer == PROP_NO && t->told++ < REASONS_MAX)
			print_order(t, state, i);
		else
			ok = false;
		if (!ok)
			return false;
		places_back(&t->places, b);
	}
	return true;
}

void prop_print_reasons(struct model *model, const struct prop_test *test,
			const struct prop_outcome *outcomes, struct strbuf *out)
{
	struct reasons t = {.model = model, .test = test, .outcomes = outcomes, .out = out,
			   .places = places_start(test), .steps_left = REASON_STEPS};
	uint32_t state;

	if (model->ops->initial(model, &state, NULL) == PROP_YES && !print_from(&t, state))
		strbuf_adds(out, "  … and so on: none of the orders explains the results\n");
}
