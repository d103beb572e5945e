#include "native/native_parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/limit.h"
#include "base/map.h"
#include "base/mem.h"
#include "core/object.h"
#include "native/exchange.h"
#include "native/knowledge.h"
#include "native/moving.h"
#include "native/symbols.h"
#include "native/unseen.h"

enum {
	CHECK_EVERY = 50000,
	/* A step that is only slow must not be called a hang because the machine was busy: whoever
	 * confirms a hang waits longer than the search did, and longer than a replay will. */
	CONFIRM_PATIENCE = 2,
};

/* So long a step must have taken to be named when the time is over. */
static const double STOPPED_SILENT_S = 0.2;

/* ---- running ---- */

/* The serving process itself is gone: killed from outside, or by a wild write. */
static void read_death(struct native *n, struct trace *t)
{
	if (exchange_read(n, t))
		native_describe_death(n, t);
}

/* Is memory really put back? The default schedule must give the same trace as before, at
 * the start and every so many runs. If not, the runs are made by fork from now on. Then, and if this
 * run has learned something, *trace says that the exploration must begin anew. */
static bool check_restore(struct native *n, struct trace *trace)
{
	static const struct schedule first = {.tail = TAIL_FIRST};
	struct channel *c = n->program.channel;
	enum program_answer answer;
	uint64_t hash;

	if (n->is_overwritten || c->restart_used != RESTART_RESTORE || c->record_stacks ||
	    ((n->check_hash || n->checked_before) && n->runs < CHECK_EVERY))
		return true;
	n->runs = 0;
	for (int i = 0; i < 2; i++) {
		exchange_write(c, &first, NULL);
		c->more_len = 0;
		answer = program_request(&n->program, COMMAND_RUN);
		n->is_stopped = answer == PROGRAM_STOPPED;
		if (answer != PROGRAM_ANSWERED)
			return true; /* of its death the next request will tell */
		exchange_read(n, trace);
		if (trace->end == END_LOST || trace->end == END_SILENT) {
			n->check_hash = 0;
			return true;
		}
		if (trace->end == END_RELEARN) {
			n->check_hash = 0;
			*trace = (struct trace){.end = END_RELEARN, .message = ""}; /* not of the schedule asked for */
			return false;
		}
		hash = trace_exact_hash(trace);
		if (!n->check_hash)
			n->check_hash = hash ? hash : 1;
		else if (n->check_hash != (hash ? hash : 1))
			break;
		else
			return true;
	}
	program_request(&n->program, COMMAND_FORK);
	exchange_read(n, trace);
	trace->end = END_RELEARN;
	return false;
}

/* Knowledge that the target gains changes how runs look. */
static void note_end(struct native *n, const struct trace *trace)
{
	n->runs++;
	if (trace->end == END_RELEARN)
		n->check_hash = 0;
}

/* The time was over during a run: if its last step had not come back for long, the error names the
 * step. */
static bool explain_stop(struct native *n, struct trace *t, struct err *err)
{
	struct target_frame frame;
	char actor[ACTOR_NAME_MAX] = "P1";

	if (n->program.silent_s < STOPPED_SILENT_S)
		return err_set(err, "stopped");
	if (!program_ask(&n->program) || !exchange_read(n, t))
		return err_set(err, "a step of the program had not come back for %.1f s",
			       n->program.silent_s);
	if (t->end_actor < t->actors_len)
		actor_name(t->actors, t->end_actor, actor);
	native_describe_place(n, t);
	native_describe_site(&n->base, t->address, &frame);
	return err_set(err, "a step of %s had not come back for %.1f s: it is in %s at %s:%u", actor,
		       n->program.silent_s, frame.function, frame.file ? frame.file : "?",
		       frame.line);
}

static bool native_run(struct target *self, const struct schedule *schedule, struct trace *trace,
		       struct err *err)
{
	struct native *n = native_of(self);

	if (n->program.is_dead)
		return err_set_unsupported(err, "the program is gone");
	if (!check_restore(n, trace))
		return native_give_room(n, trace, err);
	if (n->is_stopped)
		return explain_stop(n, trace, err);
	if (n->is_overwritten) {
		exchange_give_up(n, trace);
		return true;
	}
	if (!exchange_write(n->program.channel, schedule, err))
		return false;
	n->program.channel->more_len = 0;
	switch (program_request(&n->program, COMMAND_RUN)) {
	case PROGRAM_ANSWERED:
		exchange_read(n, trace);
		native_describe_place(n, trace);
		note_end(n, trace);
		return native_give_room(n, trace, err);
	case PROGRAM_DIED:
		read_death(n, trace);
		return true;
	default:
		return explain_stop(n, trace, err);
	}
}

static uint32_t native_run_many(struct target *self, const struct schedule *schedules, uint32_t len,
				struct trace *traces, struct err *err)
{
	struct native *n = native_of(self);
	struct channel *c = n->program.channel;
	uint32_t done_len;
	uint64_t at;

	/* Names that are not fixed are made stable one trace at a time. */
	if (len == 1 || n->program.is_dead || n->is_overwritten || !c->fixed_addresses)
		return native_run(self, schedules, traces, err) ? 1 : 0;
	if (!check_restore(n, traces))
		return native_give_room(n, traces, err) ? 1 : 0;
	if (n->is_stopped) {
		explain_stop(n, traces, err);
		return 0;
	}
	if (n->is_overwritten) {
		exchange_give_up(n, traces);
		return 1;
	}
	if (!exchange_write(c, schedules, err))
		return 0;
	c->more_len = exchange_write_more(c, schedules + 1, len - 1);
	switch (program_request(&n->program, COMMAND_RUN)) {
	case PROGRAM_ANSWERED:
		break;
	case PROGRAM_DIED:
		read_death(n, traces);
		return 1;
	default:
		explain_stop(n, traces, err);
		return 0;
	}
	if (c->wants_actors)
		return native_give_room(n, traces, err) ? 1 : 0;
	done_len = c->done_len;
	if (done_len >= len) { /* more than was asked for */
		exchange_give_up(n, traces);
		return 1;
	}
	at = c->done;
	for (uint32_t i = 0; i < done_len; i++) {
		if (!exchange_read_done(n, &at, &traces[i])) {
			exchange_give_up(n, traces);
			return 1;
		}
	}
	exchange_read(n, &traces[done_len]);
	native_describe_place(n, &traces[done_len]);
	n->runs += done_len;
	note_end(n, &traces[done_len]);
	return done_len + 1;
}

/* ---- life ---- */

static void print_site(void *ctx, uint64_t site, struct strbuf *out)
{
	struct target_frame frame;

	native_describe_site(ctx, site, &frame);
	if (frame.file)
		strbuf_addf(out, "%s:%u", frame.file, frame.line);
	else
		strbuf_adds(out, "place unknown");
}

static void native_facts(struct target *self, struct target_facts *facts)
{
	struct native *n = native_of(self);
	const struct channel *c = n->program.channel;

	strbuf_clear(&n->not_proof);
	unseen_describe(c, n->options.path, &n->not_proof, print_site, &n->base);
	strbuf_clear(&n->moving);
	moving_describe(c, &n->moving);
	strbuf_clear(&n->warnings);
	if (!c->fixed_addresses && !n->is_overwritten)
		strbuf_adds(&n->warnings, "personality was refused: addresses differ from process to "
					  "process, runs are handed over one by one\n");
	if (strstr(strbuf_text(&n->not_proof), "inline assembler"))
		strbuf_adds(&n->warnings,
			    "inline assembler is not seen: what it orders may look like a race\n");
	if (c->uncovered[0])
		strbuf_addf(&n->warnings,
			    "--equivalence rf does not cover %s: runs are distinguished by the "
			    "order of dependent steps\n",
			    c->uncovered);
	strbuf_adds(&n->warnings, c->warnings);
	*facts = (struct target_facts){
		.restart = c->restart_used == RESTART_RESTORE ? "restore" : "fork",
		.restart_reason = c->restart_reason,
		.not_proof = strbuf_text(&n->not_proof),
		.warnings = strbuf_text(&n->warnings),
		.moving = strbuf_text(&n->moving),
		.program = n->options.path,
		.equivalence = exchange_memory(c) == MEMORY_RF ? "rf" : NULL,
		.cpu_ns = program_cpu_ns(&n->program),
		.peak_rss_kb = program_peak_rss_kb(&n->program),
	};
}

static void native_free(struct target *self)
{
	struct native *n = native_of(self);

	program_end(&n->program);
	symbols_free(n->symbols);
	elf_program_release(&n->elf);
	strbuf_release(&n->not_proof);
	strbuf_release(&n->warnings);
	strbuf_release(&n->moving);
	mem_free(n);
}

/* A finding that was made in time is confirmed whatever the clock says. But a hang, whose run does not
 * end, is confirmed soon when the time is over. */
static struct target *make_twin(struct target *self, bool is_elsewhere, struct err *err)
{
	struct native *n = native_of(self);
	struct program_options options = n->options;
	struct target *twin;

	if (options.stop)
		options.hurry = options.stop;
	options.stop = NULL;
	options.is_elsewhere = is_elsewhere;
	options.patience = CONFIRM_PATIENCE;
	twin = native_create(&options, err);
	if (!twin)
		return NULL;
	knowledge_copy(native_of(twin)->program.channel, n->program.channel);
	return twin;
}

static void native_heed(struct target *self, const volatile sig_atomic_t *stop)
{
	native_of(self)->options.stop = stop;
}

static struct target *native_again(struct target *self, struct err *err)
{
	return make_twin(self, true, err);
}

static struct target *native_again_here(struct target *self, struct err *err)
{
	return make_twin(self, false, err);
}

static bool native_retreat(struct target *self, const char *what)
{
	struct channel *c = native_of(self)->program.channel;

	if (c->options.memory != MEMORY_RF || !c->weaker)
		return false;
	native_of(self)->check_hash = 0;
	c->weaker = 0;
	snprintf(c->uncovered, sizeof(c->uncovered), "%s", what);
	return true;
}

static bool native_expose(struct target *self, uint64_t address, uint64_t size)
{
	native_of(self)->check_hash = 0;
	return channel_mark_racy(native_of(self)->program.channel, address, size);
}

bool native_set_orders(struct target *self, const struct channel_order *orders, uint32_t len)
{
	struct native *n = native_of(target_unwrapped(self));

	if (len > CHANNEL_ORDERS)
		return false;
	n->check_hash = 0;
	memcpy(n->program.channel->orders, orders, len * sizeof(*orders));
	n->program.channel->orders_len = len;
	return true;
}

static const struct target_ops native_ops = {
	.run = native_run,
	.run_many = native_run_many,
	.want_stacks = native_want_stacks,
	.stack = native_stack,
	.want_contexts = native_want_contexts,
	.context = native_context,
	.describe_site = native_describe_site,
	.describe_object = native_describe_object,
	.written_value = native_written_value,
	.plain_values = native_plain_values,
	.describe_actor = native_describe_actor,
	.describe_start = native_describe_start,
	.describe_block = native_describe_block,
	.describe_variable = native_describe_variable,
	.facts = native_facts,
	.expose = native_expose,
	.retreat = native_retreat,
	.save_knowledge = native_save_knowledge,
	.load_knowledge = native_load_knowledge,
	.again = native_again,
	.again_here = native_again_here,
	.heed = native_heed,
	.free = native_free,
};

/* The time was over before the first thread: one run says where the program was. */
static void explain_late_start(struct native *n, struct err *err)
{
	static const struct schedule first = {.tail = TAIL_FIRST};
	struct trace trace = {.message = "the program has not come to its first thread"};

	exchange_write(n->program.channel, &first, NULL);
	n->program.channel->more_len = 0;
	if (program_request(&n->program, COMMAND_RUN) == PROGRAM_ANSWERED) {
		exchange_read(n, &trace);
		native_describe_place(n, &trace);
	}
	err_set_unsupported(err, "%s", trace.message);
}

struct target *native_create(const struct program_options *options, struct err *err)
{
	struct native *n = mem_zalloc(sizeof(*n));

	n->base.ops = &native_ops;
	n->options = *options;
	if (!elf_program_check(&n->elf, options->path, err))
		goto fail;
	n->options.needs_preload = !n->elf.has_runtime;
	if (!program_start(&n->program, &n->options, err))
		goto fail;
	n->program.channel->weaker = options->channel.weaker;
	if (n->program.is_late) {
		explain_late_start(n, err);
		native_free(&n->base);
		return NULL;
	}
	return &n->base;
fail:
	elf_program_release(&n->elf);
	mem_free(n);
	return NULL;
}

void *native_area(struct target *self, uint64_t *size)
{
	struct channel *c = native_of(self)->program.channel;

	*size = c->area_size;
	return channel_at(c, c->area);
}

void native_area_changed(struct target *self)
{
	struct native *n = native_of(self);

	n->checked_before |= n->check_hash != 0;
	n->check_hash = 0;
}

const char *native_build_id(struct target *self)
{
	return native_of(self)->elf.build_id;
}

pid_t native_run_stopped(struct target *self, const struct schedule *schedule, uint32_t step,
			 struct err *err)
{
	struct native *n = native_of(self);
	pid_t pid = -1;

	if (!exchange_write(n->program.channel, schedule, err))
		return -1;
	n->program.channel->more_len = 0;
	pid = program_request_stopped(&n->program, step);
	if (pid < 0)
		err_set(err, "the run did not come to its end");
	return pid;
}
