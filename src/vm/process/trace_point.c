/* Which functions are traced, and how. */
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/memory/region.h"
#include "vm/process/mailbox.h"
#include "vm/process/trace.h"
#include "vm/terms/atom.h"
#include "vm/machine.h"
#include "vm/vm.h"

struct trace_state *trace_get(struct vm *vm)
{
	if (!vm->trace)
		vm->trace = region_zalloc(sizeof(*vm->trace));
	return vm->trace;
}

static uint32_t *find_index(struct trace_state *t, const word *entry)
{
	uint32_t i = (uint32_t)((uintptr_t)entry >> 3) * 2654435761u & (t->index_cap - 1);

	while (t->index[i] && t->points[t->index[i] - 1].entry != entry)
		i = (i + 1) & (t->index_cap - 1);
	return &t->index[i];
}

static void make_index(struct trace_state *t, uint32_t cap)
{
	region_free(t->index, t->index_cap * sizeof(*t->index));
	t->index = region_zalloc(cap * sizeof(*t->index));
	t->index_cap = cap;
	for (uint32_t i = 0; i < t->len; i++)
		*find_index(t, t->points[i].entry) = i + 1;
}

struct trace_point *trace_find(struct vm *vm, const word *entry)
{
	struct trace_state *t = vm->trace;
	uint32_t number = t && t->index_cap ? *find_index(t, entry) : 0;

	return number ? &t->points[number - 1] : NULL;
}

static struct trace_point *add_point(struct trace_state *t, const word *entry)
{
	if (t->len == t->cap) {
		uint32_t cap = t->cap ? t->cap * 2 : 16;

		t->points = region_grow(t->points, t->cap * sizeof(*t->points),
					cap * sizeof(*t->points));
		t->cap = cap;
	}
	t->points[t->len++] = (struct trace_point){.entry = entry};
	if (t->len * 2 > t->index_cap)
		make_index(t, t->index_cap ? t->index_cap * 2 : 64);
	else
		*find_index(t, entry) = t->len;
	return &t->points[t->len - 1];
}

static void remove_point(struct trace_state *t, struct trace_point *point)
{
	*point = t->points[--t->len];
	make_index(t, t->index_cap);
}

/* Every process must notice calls while one of these points exists. */
static void count_kinds(struct trace_state *t)
{
	t->watches_all = t->has_natives = false;
	for (uint32_t i = 0; i < t->len; i++) {
		t->watches_all |= t->points[i].meta_spec || t->points[i].counts;
		t->has_natives |= t->points[i].is_native;
	}
	machine.running.traces_natives = t->has_natives;
}

static void replace_spec(struct message **at, term spec)
{
	if (*at)
		message_free(*at);
	*at = spec == TERM_NONE ? NULL : message_new(spec, A_system);
}

void trace_set_sends(struct vm *vm, term spec)
{
	struct trace_state *t = trace_get(vm);

	t->hides_sends = spec == A_false;
	replace_spec(&t->send_spec, spec == A_false || spec == NIL ? TERM_NONE : spec);
}

void trace_set_receives(struct vm *vm, bool shows)
{
	trace_get(vm)->hides_receives = !shows;
}

static void count_calls(struct trace_point *point, term spec)
{
	if (spec == atom_from_string("pause") || spec == atom_from_string("restart")) {
		point->is_paused = spec == atom_from_string("pause") && point->counts;
		if (!point->is_paused)
			point->count = 0;
		return;
	}
	point->counts = spec != TERM_NONE;
	point->is_paused = false;
	point->count = 0;
}

static void forget_tallies(struct trace_point *point)
{
	region_free(point->tallies, point->tallies_cap * sizeof(*point->tallies));
	point->tallies = NULL;
	point->tallies_len = point->tallies_cap = 0;
}

static void time_calls(struct trace_point *point, term spec)
{
	if (spec == atom_from_string("pause")) {
		point->is_time_paused = point->is_timed;
		return;
	}
	if (spec != atom_from_string("restart"))
		point->is_timed = spec != TERM_NONE;
	point->is_time_paused = false;
	forget_tallies(point);
}

static void tally(struct trace_point *point, term pid)
{
	uint32_t i = 0;

	while (i < point->tallies_len && point->tallies[i].pid != pid)
		i++;
	if (i == point->tallies_cap) {
		uint32_t cap = i ? i * 2 : 4;

		point->tallies = region_grow(point->tallies, i * sizeof(*point->tallies),
					     cap * sizeof(*point->tallies));
		point->tallies_cap = cap;
	}
	if (i == point->tallies_len)
		point->tallies[point->tallies_len++] = (struct trace_tally){.pid = pid};
	point->tallies[i].count++;
}

void trace_count(struct process *p, struct trace_point *point)
{
	if (point->counts && !point->is_paused)
		point->count++;
	if (point->is_timed && !point->is_time_paused && p->trace_flags & TRACE_CALL &&
	    process_find(p->vm, p->tracer))
		tally(point, p->pid);
}

static void change_point(struct trace_point *point, const struct trace_change *change)
{
	/* [local] does not end the tracing of calls that [global] began, nor the other way round. */
	if (change->sets_call && (change->spec != TERM_NONE || change->is_forced ||
				  change->is_local == point->is_local)) {
		point->is_local = change->is_local;
		replace_spec(&point->spec, change->spec);
	}
	if (!change->sets_call && change->spec != TERM_NONE && !point->is_local)
		replace_spec(&point->spec, TERM_NONE); /* these kinds end that of global calls */
	if (change->sets_meta) {
		point->meta_tracer = change->meta_tracer;
		replace_spec(&point->meta_spec, change->spec);
	}
	if (change->sets_count)
		count_calls(point, change->spec);
	if (change->sets_time)
		time_calls(point, change->spec);
}

void trace_set(struct vm *vm, const word *entry, const struct trace_change *change)
{
	struct trace_state *t = trace_get(vm);
	struct trace_point *point = trace_find(vm, entry);

	if (!point && change->spec == TERM_NONE)
		return;
	if (!point)
		point = add_point(t, entry);
	point->is_native = change->is_native;
	change_point(point, change);
	if (!point->spec && !point->meta_spec && !point->counts && !point->is_timed)
		remove_point(t, point);
	count_kinds(t);
}

void trace_clear(struct vm *vm)
{
	static const struct trace_change nothing = {
		.sets_call = true, .sets_meta = true, .sets_count = true, .sets_time = true,
		.is_forced = true, .spec = TERM_NONE};

	while (vm->trace->len)
		trace_set(vm, vm->trace->points[vm->trace->len - 1].entry, &nothing);
	trace_set_loading(vm, &nothing);
	trace_set_sends(vm, NIL);
	trace_set_receives(vm, true);
}

void trace_forget(struct vm *vm, const struct code_image *image)
{
	static const struct trace_change nothing = {
		.sets_call = true, .sets_meta = true, .sets_count = true, .sets_time = true,
		.is_forced = true, .spec = TERM_NONE};

	for (size_t i = 0; vm->trace && image && i < image->functions_len; i++)
		trace_set(vm, image->functions[i].start + FUNC_INFO_WORDS, &nothing);
}

void trace_set_loading(struct vm *vm, const struct trace_change *change)
{
	change_point(&trace_get(vm)->loading, change);
}

static void set_loaded(struct vm *vm, const struct code_function *f, const struct trace_point *as)
{
	const word *entry = f->start + FUNC_INFO_WORDS;
	struct trace_change call = {.sets_call = true, .is_local = as->is_local},
			    meta = {.sets_meta = true, .meta_tracer = as->meta_tracer},
			    counts = {.sets_count = as->counts, .sets_time = as->is_timed, .spec = NIL};

	if (as->spec && (as->is_local || f->is_exported)) {
		call.spec = as->spec->content;
		trace_set(vm, entry, &call);
	}
	if (as->meta_spec) {
		meta.spec = as->meta_spec->content;
		trace_set(vm, entry, &meta);
	}
	if (as->counts || as->is_timed)
		trace_set(vm, entry, &counts);
}

/* Native functions stand in for those of their module that have the same name. */
void trace_loaded(struct vm *vm, const struct code_image *image)
{
	const struct trace_point *as = vm->trace ? &vm->trace->loading : NULL;
	bool is_set = as && (as->spec || as->meta_spec || as->counts || as->is_timed);

	for (size_t i = 0; is_set && i < image->functions_len; i++) {
		const struct code_function *f = &image->functions[i];
		const struct bif *bif = bif_find(image->module, f->name, f->arity);

		if (!bif || !bif_is_there(bif))
			set_loaded(vm, f, as);
	}
}

bool trace_watches(const struct process *p)
{
	return p->trace_flags & TRACE_CALL || (p->vm->trace && p->vm->trace->watches_all);
}
