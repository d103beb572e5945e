#include "vm/code/verify.h"

#include <string.h>

#include "base/mem.h"
#include "vm/code/verify_state.h"

/* ---- registers ---- */

static size_t find_x(const struct verify *v, int64_t number)
{
	return number < VERIFY_SCRATCH ? (size_t)number
				       : (size_t)(number - VERIFY_SCRATCH) + v->scratch;
}

static bool is_handler(struct verify *v, int64_t slot)
{
	const uint64_t *handlers = verify_handlers(v, v->now);

	for (unsigned i = 0; i < v->now->handlers_len; i++)
		if (handler_slot(handlers[i]) == slot)
			return true;
	return false;
}

static bool check_slot(struct verify *v, int64_t slot)
{
	if (slot >= v->now->frame)
		return verify_fail(v, "y%lld lies outside the frame", (long long)slot);
	if (is_handler(v, slot))
		return verify_fail(v, "y%lld holds a handler", (long long)slot);
	return true;
}

bool verify_use_any(struct verify *v, const struct beam_operand *o)
{
	if (o->kind == BEAM_X && !bit_is_set(verify_set(v, v->now, X_SET), find_x(v, o->value)))
		return verify_fail(v, "x%lld is not set", (long long)o->value);
	if (o->kind != BEAM_Y)
		return true;
	if (!check_slot(v, o->value))
		return false;
	return bit_is_set(verify_set(v, v->now, Y_SET), (size_t)o->value) ||
	       verify_fail(v, "y%lld is not set", (long long)o->value);
}

bool verify_is_set(struct verify *v, const struct beam_operand *o)
{
	if (o->kind == BEAM_X)
		return bit_is_set(verify_set(v, v->now, X_SET), find_x(v, o->value));
	return o->kind != BEAM_Y || o->value >= v->now->frame || is_handler(v, o->value) ||
	       bit_is_set(verify_set(v, v->now, Y_SET), (size_t)o->value);
}

bool verify_is_context(struct verify *v, const struct beam_operand *o)
{
	if (o->kind == BEAM_X)
		return bit_is_set(verify_set(v, v->now, X_CONTEXT), find_x(v, o->value));
	return o->kind == BEAM_Y && bit_is_set(verify_set(v, v->now, Y_CONTEXT), (size_t)o->value);
}

bool verify_use(struct verify *v, const struct beam_operand *o)
{
	if (!verify_use_any(v, o))
		return false;
	if (verify_is_context(v, o))
		return verify_fail(v, "%c%lld may be a match context",
				   o->kind == BEAM_X ? 'x' : 'y', (long long)o->value);
	return true;
}

bool verify_define(struct verify *v, const struct beam_operand *o, bool is_context)
{
	if (o->kind == BEAM_X) {
		bit_put(verify_set(v, v->now, X_SET), find_x(v, o->value), true);
		bit_put(verify_set(v, v->now, X_CONTEXT), find_x(v, o->value), is_context);
	} else if (o->kind == BEAM_Y) {
		if (!check_slot(v, o->value))
			return false;
		bit_put(verify_set(v, v->now, Y_SET), (size_t)o->value, true);
		bit_put(verify_set(v, v->now, Y_CONTEXT), (size_t)o->value, is_context);
		return !is_context || verify_handler(v);
	}
	return true;
}

bool verify_args(struct verify *v, int64_t n, bool contexts_allowed)
{
	if (n > (int64_t)v->scratch)
		return verify_fail(v, "x%lld is not set", (long long)n - 1);
	for (int64_t i = 0; i < n; i++) {
		struct beam_operand x = {.kind = BEAM_X, .value = i};

		if (!(contexts_allowed ? verify_use_any(v, &x) : verify_use(v, &x)))
			return false;
	}
	return true;
}

void verify_keep(struct verify *v, int64_t n)
{
	uint64_t *set = verify_set(v, v->now, X_SET), *context = verify_set(v, v->now, X_CONTEXT);

	for (size_t i = 0; i < v->width; i++) {
		int64_t left = n - (int64_t)i * 64;
		uint64_t mask = left >= 64 ? ~(uint64_t)0
				: left > 0 ? ((uint64_t)1 << left) - 1 : 0;

		set[i] &= mask;
		context[i] &= mask;
	}
}

static int32_t find_unset(struct verify *v, struct verify_state *s)
{
	const uint64_t *set = verify_set(v, s, Y_SET);

	for (int32_t i = 0; i < s->frame; i++)
		if (!bit_is_set(set, (size_t)i))
			return i;
	return -1;
}

int32_t verify_find_unset(struct verify *v)
{
	return find_unset(v, v->now);
}

bool verify_frame_is_set(struct verify *v)
{
	int32_t unset = find_unset(v, v->now);

	return unset < 0 || verify_fail(v, "y%d is not set", (int)unset);
}

/* ---- paths that meet ---- */

static struct verify_state *state_of(struct verify *v, int64_t label)
{
	return (void *)(v->states + v->label_slots[label] * v->state_bytes);
}

static bool handlers_are_equal(struct verify *v, struct verify_state *to)
{
	size_t bytes = to->handlers_len * sizeof(uint64_t);

	return to->handlers_len == v->now->handlers_len &&
	       memcmp(verify_handlers(v, to), verify_handlers(v, v->now), bytes) == 0;
}

/* The slots that hold a handler on either path. There are never more of them than catch
 * instructions. */
static bool join_handlers(struct verify *v, struct verify_state *to)
{
	uint64_t *into = verify_handlers(v, to);
	const uint64_t *from = verify_handlers(v, v->now);
	bool changed = false;

	for (unsigned i = 0; i < v->now->handlers_len; i++) {
		unsigned j = 0;

		while (j < to->handlers_len && handler_slot(into[j]) != handler_slot(from[i]))
			j++;
		if (j < to->handlers_len || to->handlers_len == v->max_handlers)
			continue;
		into[to->handlers_len++] = from[i];
		changed = true;
	}
	return changed;
}

/* Paths with different frames often share the code that raises an error. */
static bool join_frames(struct verify *v, struct verify_state *to, bool *changed)
{
	int32_t unset, smallest = to->frame < v->now->frame ? to->frame : v->now->frame;

	if (to->frame == v->now->frame && to->is_mixed == v->now->is_mixed &&
	    handlers_are_equal(v, to))
		return true;
	unset = find_unset(v, to);
	if (unset >= 0)
		return verify_fail(v, "y%d is not set where frames meet", (int)unset);
	if (!verify_frame_is_set(v))
		return false;
	*changed = join_handlers(v, to) || !to->is_mixed || to->frame != smallest;
	to->is_mixed = true;
	to->frame = smallest;
	return true;
}

/* Where paths meet, the set of registers that are set shrinks, and the set of registers that may be
 * match contexts grows. */
static bool join_sets(struct verify *v, struct verify_state *to)
{
	bool changed = false;

	for (size_t i = 0; i < SETS_LEN * v->width; i++) {
		enum verify_set set = (enum verify_set)(i / v->width);
		uint64_t old = to->words[i], other = v->now->words[i];
		uint64_t joined = set == X_SET || set == Y_SET ? old & other : old | other;

		to->words[i] = joined;
		changed = changed || joined != old;
	}
	return changed;
}

/* Merges the current state into another; *changed is set when that one changed. */
static bool verify_merge(struct verify *v, struct verify_state *to, bool *changed)
{
	const struct verify_state *now = v->now;
	bool frame_changed = false;

	*changed = true;
	if (!to->is_reached) {
		memcpy(to, now, v->state_bytes);
		to->is_reached = true;
		return true;
	}
	if (!join_frames(v, to, &frame_changed))
		return false;
	*changed = join_sets(v, to) || frame_changed;
	if (now->heap < to->heap) {
		to->heap = now->heap;
		*changed = true;
	}
	if (to->is_filling && !now->is_filling) {
		to->is_filling = false;
		*changed = true;
	}
	return true;
}

static bool is_inside(const struct verify *v, int64_t label)
{
	const struct beam_function *f = &v->bf->functions[v->function];

	return v->bf->labels[label] >= f->first && v->bf->labels[label] < f->end;
}

bool verify_branch(struct verify *v, int64_t label)
{
	bool changed;

	if (!is_inside(v, label))
		return verify_fail(v, "label %lld is in another function", (long long)label);
	if (!verify_merge(v, state_of(v, label), &changed))
		return false;
	if (changed && v->bf->labels[label] <= v->at)
		v->goes_round = true;
	return true;
}

/* At a handler, four x registers are set, and the handler still occupies its slot. */
bool verify_handler(struct verify *v)
{
	struct verify_state *now = v->now;
	bool ok;

	if (!now->handlers_len)
		return true;
	if (now->is_mixed)
		return verify_fail(v, "different open handlers have met");
	memcpy(v->spare, now, v->state_bytes);
	v->now = v->spare;
	verify_keep(v, 0);
	*verify_set(v, v->now, X_SET) = 0xf;
	v->now->heap = 0;
	v->now->is_filling = false;
	ok = verify_branch(v, handler_label(verify_handlers(v, now)[0]));
	v->now = now;
	return ok;
}

/* ---- one function ---- */

static void measure_operand(const struct beam_operand *o, uint32_t *x, uint32_t *y)
{
	uint32_t number = (uint32_t)o->value + 1;

	if (o->kind == BEAM_LIST)
		for (uint32_t i = 0; i < o->len; i++)
			measure_operand(&o->items[i], x, y);
	else if (o->kind == BEAM_X && o->value < VERIFY_SCRATCH)
		*x = number > *x ? number : *x;
	else if (o->kind == BEAM_Y)
		*y = number > *y ? number : *y;
}

/* Finds how long states are and which labels need one. Live counts and frames may be larger
 * than the highest register named. */
static size_t measure_function(struct verify *v, const struct beam_function *f)
{
	uint32_t x = f->arity + 4, y = 1, labels = 0;

	v->max_handlers = 0;
	for (uint32_t i = f->first; i < f->end; i++) {
		const struct beam_instr *in = &v->bf->instrs[i];

		for (unsigned j = 0; j < in->operands_len; j++) {
			const struct beam_operand *o = &in->operands[j];

			measure_operand(o, &x, &y);
			if (o->kind == BEAM_U && o->value <= BEAMFILE_MAX_REGISTERS &&
			    in->op >= OP_allocate && in->op <= OP_allocate_heap_zero)
				y = o->value > y ? (uint32_t)o->value : y;
		}
		if (in->op == OP_label)
			v->label_slots[in->operands[0].value] = labels++;
		v->max_handlers += in->op == OP_catch || in->op == OP_try;
	}
	v->scratch = x;
	x += BEAMFILE_MAX_REGISTERS - VERIFY_SCRATCH;
	v->width = ((x > y ? x : y) + 63) / 64;
	v->state_bytes = sizeof(struct verify_state) +
			 (SETS_LEN * v->width + v->max_handlers) * sizeof(uint64_t);
	return labels;
}

/* The state at the entry of a function: the arguments are set, and it has no frame yet. */
static bool enter_function(struct verify *v, const struct beam_function *f)
{
	const uint64_t *contexts = v->contexts + v->function * VERIFY_PARAM_WORDS;

	memset(v->now, 0, v->state_bytes);
	v->now->frame = VERIFY_NO_FRAME;
	for (uint32_t i = 0; i < f->arity; i++) {
		bit_put(verify_set(v, v->now, X_SET), i, true);
		bit_put(verify_set(v, v->now, X_CONTEXT), i, bit_is_set(contexts, i));
	}
	return verify_branch(v, f->label);
}

static bool blame(struct verify *v)
{
	const struct beam_function *f = &v->bf->functions[v->function];

	return err_prefix(v->err, "unsound code: %s/%u, instruction %zu (%s): ",
			  v->bf->atoms[f->name].text, f->arity, v->at - f->first,
			  opcode_info(v->bf->instrs[v->at].op)->name);
}

static bool verify_round(struct verify *v, const struct beam_function *f)
{
	bool goes_on = false, changed;

	v->goes_round = false;
	for (v->at = f->first; v->at < f->end; v->at++) {
		const struct beam_instr *in = &v->bf->instrs[v->at];

		if (in->op == OP_label) {
			struct verify_state *here = state_of(v, in->operands[0].value);

			if (goes_on && !verify_merge(v, here, &changed))
				return blame(v);
			goes_on = here->is_reached;
			memcpy(v->now, here, v->state_bytes);
		} else if (goes_on && !verify_instr(v, in, &goes_on)) {
			return blame(v);
		}
	}
	if (goes_on) {
		v->at--;
		verify_fail(v, "the function goes on behind its end");
		return blame(v);
	}
	return true;
}

static bool verify_function(struct verify *v)
{
	const struct beam_function *f = &v->bf->functions[v->function];
	size_t labels = measure_function(v, f);
	uint8_t *memory = mem_zalloc((labels + 2) * v->state_bytes);
	bool ok;

	v->states = memory;
	v->now = (void *)(memory + labels * v->state_bytes);
	v->spare = (void *)(memory + (labels + 1) * v->state_bytes);
	v->at = f->entry;
	v->goes_round = true;
	ok = enter_function(v, f) || blame(v);
	for (int round = 0; ok && v->goes_round; round++) {
		if (round == VERIFY_MAX_ROUNDS)
			ok = verify_fail(v, "%s goes round in too many ways",
					 v->bf->atoms[f->name].text);
		ok = ok && verify_round(v, f);
	}
	mem_free(memory);
	return ok;
}

static bool verify_functions(struct verify *v)
{
	bool found = true;

	while (found) {
		found = false;
		for (uint32_t i = 0; i < v->bf->functions_len; i++) {
			if (!v->is_dirty[i])
				continue;
			found = true;
			v->is_dirty[i] = false;
			v->function = i;
			if (!verify_function(v))
				return false;
		}
	}
	return true;
}

void verify_facts_init(struct verify_facts *facts, const struct beamfile *bf)
{
	facts->must_clear = mem_zalloc(bf->functions_len);
	facts->must_preset = mem_zalloc(bf->instrs_len);
}

void verify_facts_release(struct verify_facts *facts)
{
	mem_free(facts->must_clear);
	mem_free(facts->must_preset);
}

static bool attempt(const struct beamfile *bf, struct verify_facts *facts, bool may_preset,
		    struct err *err)
{
	struct err ignored;
	struct verify v = {.bf = bf, .facts = facts, .may_preset = may_preset,
			   .err = err ? err : &ignored};
	bool ok;

	v.label_slots = mem_zalloc((bf->labels_len + 1) * sizeof(*v.label_slots));
	v.contexts = mem_zalloc(bf->functions_len * VERIFY_PARAM_WORDS * sizeof(*v.contexts));
	v.is_dirty = mem_alloc(bf->functions_len);
	memset(v.is_dirty, true, bf->functions_len);
	ok = verify_functions(&v);
	mem_free(v.label_slots);
	mem_free(v.contexts);
	mem_free(v.is_dirty);
	return ok;
}

/* Presetting costs time where the code runs, and hardly any module needs it. */
bool verify_code(const struct beamfile *bf, struct verify_facts *facts, struct err *err)
{
	return attempt(bf, facts, false, NULL) || attempt(bf, facts, true, err);
}
