#include "beam/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/mem.h"
#include "beam/conduct.h"
#include "beam/declared.h"
#include "beam/describe_term.h"
#include "vm/bifs/child.h"
#include "vm/bifs/open_file.h"
#include "vm/code/code.h"
#include "vm/memory/region.h"
#include "vm/process/leader.h"
#include "vm/run.h"
#include "vm/terms/atom.h"
#include "vm/terms/print.h"

enum { OUTPUT_MAX = 1 << 16, STACK_MAX = 64 };

struct kept_stack {
	uint64_t sites[STACK_MAX];
	uint32_t len;
};

struct beam_target {
	struct target base;
	struct conductor conductor;
	const struct beam_options *options;
	struct beam_hooks hooks;
	bool is_owner; /* opened the machine */
	term module, function;
	struct strbuf output;
	bool has_setup;
	VEC(struct kept_stack) stacks; /* by actor, once another instance has used the machine since the run */
};

static struct beam_target *beam_of(struct target *self)
{
	return (struct beam_target *)target_unwrapped(self);
}

static void keep_output(void *ctx, int stream, const char *text, size_t len)
{
	struct beam_target *t = ctx;

	(void)stream;
	if (t->output.len + len <= OUTPUT_MAX)
		strbuf_add(&t->output, text, len);
}

static bool begin_test(struct beam_target *t, struct err *err)
{
	struct vm *vm = vm_get();
	struct process *test = vm->test; /* in a suite it stands where it begins */

	if (t->hooks.begin)
		test = t->hooks.begin(t->hooks.ctx, err);
	else if (t->options->suite == SUITE_NONE)
		test = vm_spawn(vm, process_find(vm, vm->init_pid), t->module, t->function, NIL);
	if (!test)
		return false;
	vm->end = VM_RUNNING;
	vm->is_explored = true;
	vm->turns_max = conduct_step_turns(&t->conductor.options);
	vm->test = test;
	vm->test->is_test = true;
	return true;
}

static bool beam_run(struct target *self, const struct schedule *schedule, struct trace *trace,
		     struct err *err)
{
	struct beam_target *t = beam_of(self);

	child_end_all(); /* of a set-up */
	t->stacks.len = 0;
	leader_set_output(keep_output, t);
	t->conductor.output =
		t->hooks.begin || t->hooks.end || t->options->no_stems ? NULL : &t->output;
	if (stems_begin(&t->conductor, schedule)) {
		stems_return(&t->conductor, schedule);
		conduct_on(&t->conductor, trace);
	} else {
		region_restore();
		strbuf_clear(&t->output);
		if (!begin_test(t, err))
			return false;
		conduct(&t->conductor, schedule, trace);
	}
	leader_flush();
	child_end_all();
	if (t->hooks.end)
		t->hooks.end(t->hooks.ctx, &t->base, trace);
	trace->output = strbuf_text(&t->output);
	trace->output_len = t->output.len;
	if (t->has_setup)
		trace->assumed |= ASSUMED_SETUP;
	if (open_file_has_written())
		trace->assumed |= ASSUMED_FILES;
	return true;
}

static void beam_want_stacks(struct target *self, bool on)
{
	beam_of(self)->conductor.wants_places = on;
}

/* Of a process that ended badly, as it raised; of one that still is, where it waits. */
/* Stacks are as they are when a run is over: those of earlier steps are not known. */
static bool is_at_end(const struct conductor *c, uint32_t step)
{
	return step == (uint32_t)TARGET_AT_END ||
	       (step < c->events.len && c->events.items[step].kind == EVENT_FINISH);
}

static void read_stack(struct conductor *c, uint32_t actor, struct kept_stack *out)
{
	out->len = 0;
	if (actor == c->descriptions.frames_actor)
		for (; out->len < c->descriptions.frames.len && out->len < STACK_MAX; out->len++)
			out->sites[out->len] = c->descriptions.frames.items[out->len];
	else if (actor < c->slots.len && c->slots.items[actor].process)
		out->len = sites_of_stack(&c->sites, c->slots.items[actor].process, out->sites, STACK_MAX);
}

/* All instances use one machine: the processes of this one are gone when another one runs. */
static void keep_stacks(struct beam_target *t)
{
	for (uint32_t a = (uint32_t)t->stacks.len; a < t->conductor.slots.len; a++)
		read_stack(&t->conductor, a, vec_push(&t->stacks));
}

static uint32_t beam_stack(struct target *self, uint32_t step, uint32_t actor,
			   struct target_frame *frames, uint32_t frames_max)
{
	struct beam_target *t = beam_of(self);
	struct conductor *c = &t->conductor;
	struct kept_stack stack;

	if (!is_at_end(c, step))
		return 0;
	if (actor < t->stacks.len)
		stack = t->stacks.items[actor];
	else
		read_stack(c, actor, &stack);
	if (stack.len > frames_max)
		stack.len = frames_max;
	for (uint32_t i = 0; i < stack.len; i++)
		site_describe(&c->sites, stack.sites[i], &frames[i]);
	return stack.len;
}

static bool beam_describe_step(struct target *self, uint32_t step, struct strbuf *out)
{
	const struct descriptions *all = &beam_of(self)->conductor.descriptions;

	if (step >= all->steps.len || !all->steps.items[step][0])
		return false;
	strbuf_adds(out, all->steps.items[step]);
	return true;
}

static bool beam_describe_actor(struct target *self, uint32_t actor, struct strbuf *out)
{
	const struct descriptions *all = &beam_of(self)->conductor.descriptions;

	if (actor >= all->names.len || !all->names.items[actor])
		return false;
	strbuf_adds(out, all->names.items[actor]);
	return true;
}

/* {source, "/home/…/counter.erl"} of the compile information. */
static bool add_source(term info, const char *file, struct strbuf *out)
{
	for (; term_is_cons(info); info = cons_tail(info)) {
		term one = cons_head(info), path;
		size_t start = out->len;
		const char *name;

		if (!term_is_tuple_of(one, 2) || tuple_element(one, 0) != atom_from_string("source"))
			continue;
		for (path = tuple_element(one, 1); term_is_cons(path); path = cons_tail(path))
			if (term_is_small(cons_head(path)) && small_value(cons_head(path)) < 128)
				strbuf_addc(out, (char)small_value(cons_head(path)));
		name = strrchr(strbuf_text(out) + start, '/');
		if (strcmp(name ? name + 1 : strbuf_text(out) + start, file) == 0)
			return true;
		out->len = start;
	}
	return false;
}

static bool beam_source_path(struct target *self, const char *file, struct strbuf *out)
{
	const char *name = file_base_name(file);
	const struct module_table *modules = vm_get()->modules;

	(void)self;
	for (uint32_t i = 0; i < modules->len; i++)
		if (modules->items[i].current &&
		    add_source(modules->items[i].current->compile_info, name, out))
			return true;
	return false;
}

static bool beam_describe_alias(struct target *self, uint32_t actor, struct strbuf *out)
{
	const struct conductor *c = &beam_of(self)->conductor;

	if (actor >= c->pids.len || !c->pids.items[actor])
		return false;
	print_term(pid_make(c->pids.items[actor]), out);
	return true;
}

static void beam_want_contexts(struct target *self, uint32_t callers)
{
	beam_of(self)->conductor.standing.wants_callers = callers;
}

static uint32_t beam_context(struct target *self, const struct event *event,
			     struct target_frame *frames, uint32_t frames_max)
{
	struct conductor *c = &beam_of(self)->conductor;
	const struct standing_context *context = standing_context(&c->standing, event->context);
	uint32_t used = 0;

	site_describe(&c->sites, event->site, &frames[used++]);
	for (uint32_t i = 0; context && i < context->callers_len && used < frames_max; i++) {
		/* a return address: its call is the word before */
		site_describe(&c->sites, (uint64_t)(uintptr_t)(context->callers[i] - 1),
			      &frames[used]);
		used += frames[used].file != NULL;
	}
	return used;
}

static void beam_want_waiting(struct target *self, bool on)
{
	beam_of(self)->conductor.standing.wants_waiting = on;
	beam_of(self)->conductor.observation.wants_refusals = on;
}

static void beam_describe_site(struct target *self, uint64_t site, struct target_frame *frame)
{
	site_describe(&beam_of(self)->conductor.sites, site, frame);
}

static void describe_process(struct conductor *c, uint64_t value, struct strbuf *out)
{
	char name[ACTOR_NAME_MAX];

	for (size_t i = 0; i < c->pids.len; i++)
		if (c->pids.items[i] && (c->pids.items[i] & 0x00ffffffffffffffu) == value) {
			actor_name(c->actors.items, (uint32_t)i, name);
			strbuf_adds(out, name);
			return;
		}
	for (const struct process *p = vm_get()->first_process; p; p = p->all_next)
		if (p->is_system && (pid_value(p->pid) & 0x00ffffffffffffffu) == value) {
			strbuf_adds(out, p->registered_name != TERM_NONE
						 ? atom_text(p->registered_name)
						 : "a system process");
			return;
		}
	strbuf_adds(out, "a process that is gone");
}

static void beam_describe_object(struct target *self, uint64_t object, struct strbuf *out)
{
	struct conductor *c = &beam_of(self)->conductor;

	if (object_words(&c->objects, object, out)) {
		if (c->descriptions.is_elixir)
			describe_elixir_names(out);
		return;
	}
	switch (OBJECT_CLASS(object)) {
	case OBJECT_MAILBOX:
		strbuf_adds(out, "mailbox of ");
		describe_process(c, OBJECT_NAME_OF(object), out);
		break;
	case OBJECT_ACTOR:
		if (object == OBJECT_ALL_PROCESSES)
			strbuf_adds(out, "the set of processes");
		else
			describe_process(c, OBJECT_NAME_OF(object), out);
		break;
	case OBJECT_SIGNALS:
		strbuf_adds(out, "signals to ");
		describe_process(c, OBJECT_NAME_OF(object), out);
		break;
	case OBJECT_RELATIONS: case OBJECT_STEPS: case OBJECT_LOCK:
		describe_process(c, OBJECT_NAME_OF(object), out);
		break;
	case OBJECT_CLOCK:
		strbuf_adds(out, "the clock");
		break;
	case OBJECT_NAME:
		strbuf_adds(out, "the registered names");
		break;
	case OBJECT_TABLE:
		strbuf_adds(out, "the set of tables");
		break;
	case OBJECT_DECLARED:
		strbuf_adds(out, "a declared side effect");
		break;
	default:
		strbuf_adds(out, "a reference");
	}
}

static void beam_facts(struct target *self, struct target_facts *facts)
{
	const struct strbuf *instance = beam_of(self)->hooks.instance;
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	*facts = (struct target_facts){.restart = "checkpoint", .restart_reason = "",
				       .not_proof = "",
				       .moving = open_file_has_moving()
							 ? "files of the kernel (/proc, /sys)" : "",
				       .warnings = strbuf_text(&beam_of(self)->conductor.warnings),
				       .instance = instance && instance->len ? strbuf_text(instance) : NULL,
				       .peak_rss_kb = (uint64_t)usage.ru_maxrss};
}

static bool beam_expose(struct target *self, uint64_t address, uint64_t size)
{
	(void)self;
	(void)address;
	(void)size;
	return false;
}

/* The facts learned about the program, then the actor table, a line for each actor: parent, kind,
 * nth. */
static void beam_save_knowledge(struct target *self, struct strbuf *out)
{
	const struct conductor *c = &beam_of(self)->conductor;

	strbuf_addf(out, "learned %u\n", c->objects.learned);
	for (size_t i = 0; i < c->actors.len; i++)
		strbuf_addf(out, "actor %u %u %u\n", c->actors.items[i].parent,
			    c->actors.items[i].kind, c->actors.items[i].nth);
}

static bool beam_load_knowledge(struct target *self, const char *text, struct err *err)
{
	struct conductor *c = &beam_of(self)->conductor;

	while (*text) {
		unsigned parent, kind, nth;
		const char *end = strchr(text, '\n');

		if (end && sscanf(text, "learned %u", &c->objects.learned) == 1) {
			text = end + 1;
			continue;
		}
		if (sscanf(text, "actor %u %u %u", &parent, &kind, &nth) != 3 || !end ||
		    kind > ACTOR_CHANNEL)
			return err_set(err, "the finding's actor table is damaged");
		conductor_actor(c, parent, (enum actor_kind)kind, nth);
		text = end + 1;
	}
	c->words = (uint32_t)BITSET_WORDS(c->actors.len + 64);
	c->objects.learns_no_more = true;
	return true;
}

static struct target *beam_again(struct target *self, struct err *err);

static void beam_free(struct target *self)
{
	struct beam_target *t = beam_of(self);

	if (t->is_owner)
		run_close();
	leader_set_output(NULL, NULL);
	conductor_release(&t->conductor);
	strbuf_release(&t->output);
	vec_release(&t->stacks);
	mem_free(t);
}

static const struct target_ops beam_ops = {
	.run = beam_run,
	.want_stacks = beam_want_stacks,
	.stack = beam_stack,
	.describe_step = beam_describe_step,
	.describe_actor = beam_describe_actor,
	.describe_alias = beam_describe_alias,
	.source_path = beam_source_path,
	.want_contexts = beam_want_contexts,
	.context = beam_context,
	.want_waiting = beam_want_waiting,
	.describe_site = beam_describe_site,
	.describe_object = beam_describe_object,
	.facts = beam_facts,
	.expose = beam_expose,
	.save_knowledge = beam_save_knowledge,
	.load_knowledge = beam_load_knowledge,
	.again = beam_again,
	.free = beam_free,
};

static struct target *beam_again(struct target *self, struct err *err)
{
	struct beam_target *first = beam_of(self), *t = mem_zalloc(sizeof(*t));
	struct strbuf knowledge = {0};

	keep_stacks(first);
	t->base.ops = &beam_ops;
	t->options = first->options;
	t->module = first->module;
	t->conductor.descriptions.is_elixir = first->conductor.descriptions.is_elixir;
	t->function = first->function;
	t->has_setup = first->has_setup;
	t->hooks = first->hooks;
	t->conductor.options = first->conductor.options;
	beam_save_knowledge(self, &knowledge);
	beam_load_knowledge(&t->base, strbuf_text(&knowledge), err);
	t->conductor.words = first->conductor.words;
	strbuf_release(&knowledge);
	return &t->base;
}

/* ---- start ---- */

/* The system processes, if they are asked for, are there from the start. */
static void start_system(void)
{
	struct vm *vm = vm_get();
	struct process *init = process_find(vm, vm->init_pid);
	term cell[2] = {atom_from_string("application_controller"), NIL};

	vm->end = VM_RUNNING;
	vm->test = vm_spawn(vm, init, A_erlang, atom_from_string("whereis"), cons_make(cell));
	vm_run(vm);
}

/* Loads a module before the first run. The on_load functions of OTP load native libraries, in whose
 * place the machine has its own: they have nothing to do. */
static void load_early(struct vm *vm, term name, term caller)
{
	struct module *module;

	if (code_find_module(vm, name) || !code_load_module(vm, name, NULL))
		return;
	module = code_find_module(vm, name);
	module->caller = caller;
	if (module->is_on_load_pending && code_is_of_otp(vm, name)) {
		module->is_on_load_pending = false;
		code_make_callable(module);
	}
}

/* Runs the test and loads what it loaded before the checkpoint is taken anew. False if that run was
 * interrupted, because no other run is made that could show where it was. */
static bool load_what_is_needed(struct beam_target *t, struct err *err)
{
	struct schedule schedule = {.tail = TAIL_FIRST};
	struct vm *vm = vm_get();
	VEC(struct module) loaded = {0};
	struct trace trace;
	uint32_t relied_on;
	bool needs_system;

	region_checkpoint();
	while (beam_run(&t->base, &schedule, &trace, NULL) && trace.end == END_RELEARN)
		;
	if (vm_is_interrupted(vm)) {
		*err = vm->err;
		return false;
	}
	needs_system = vm->boot != 0;
	for (uint32_t i = 0; vm->modules && i < vm->modules->len; i++)
		*vec_push(&loaded) = vm->modules->items[i];
	relied_on = vm->relied_on & RELIED_ON_LOADED;
	region_restore();
	region_forget_checkpoint();
	for (size_t i = 0; i < loaded.len; i++)
		load_early(vm, loaded.items[i].name, loaded.items[i].caller);
	vec_release(&loaded);
	vm->relied_on |= relied_on;
	if (needs_system && !vm->boot && t->options->suite == SUITE_NONE)
		start_system();
	return true;
}

static bool enter_suite(struct beam_target *t, struct err *err)
{
	const struct beam_options *o = t->options;

	if (!suite_enter(o->suite, o->function, o->path, err))
		return false;
	t->has_setup = t->has_setup || vm_get()->result == A_true;
	return true;
}

static bool start(struct beam_target *t, struct err *err)
{
	const struct beam_options *o = t->options;
	struct run_options options = {.memory_limit = o->memory_limit, .otp_dir = o->otp_dir,
				      .seed = o->seed, .allow_io = o->allow_io};

	for (const char *const *path = o->paths; path && *path; path++)
		run_add_path(*path);
	declared_use(o->declared);
	if (!run_open(&options, err))
		return false;
	t->is_owner = true;
	leader_set_output(keep_output, t);
	t->has_setup = setup_is_asked(&o->setup);
	if (o->suite == SUITE_NONE && o->function &&
	    !run_find_function(o->function, &t->module, &t->function, err))
		return false;
	if (t->has_setup && !setup_run(&o->setup, err))
		return false;
	if (!o->function) {
		region_checkpoint();
		return true;
	}
	if (o->suite != SUITE_NONE && !enter_suite(t, err))
		return false;
	if (!declared_check(vm_get(), err))
		return false;
	if (!load_what_is_needed(t, err))
		return false;
	region_checkpoint();
	return true;
}

struct target *beam_target_create(const struct beam_options *options, struct err *err)
{
	struct beam_target *t = mem_zalloc(sizeof(*t));

	t->base.ops = &beam_ops;
	t->options = options;
	t->conductor.options = options->conduct;
	t->conductor.options.is_suite = options->suite == SUITE_EUNIT ||
					options->suite == SUITE_EXUNIT;
	if (start(t, err)) {
		t->conductor.descriptions.is_elixir =
			options->suite == SUITE_EXUNIT ||
			(term_is_atom(t->module) && strncmp(atom_text(t->module), "Elixir.", 7) == 0);
		return &t->base;
	}
	beam_free(&t->base);
	return NULL;
}

void beam_target_set_hooks(struct target *target, const struct beam_hooks *hooks)
{
	beam_of(target)->hooks = *hooks;
}

struct conductor *beam_target_conductor(struct target *target)
{
	return &beam_of(target)->conductor;
}

uint64_t beam_target_site(struct target *target, term module, term function, unsigned arity)
{
	const word *code = code_resolve(vm_get(), export_of(module, function, arity));

	return code ? site_of_address(&beam_of(target)->conductor.sites, (uint64_t)(uintptr_t)code)
		    : 0;
}
