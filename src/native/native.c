#include "native/native_parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/limit.h"
#include "base/map.h"
#include "base/mem.h"
#include "core/object.h"
#include "native/check.h"
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

static bool has_room(const struct channel *c, const struct schedule *s)
{
	return s->decisions_len <= c->max_decisions && s->sleepers_len <= c->max_sleepers &&
	       s->guides_len <= CHANNEL_GUIDES;
}

static bool write_schedule(struct channel *c, const struct schedule *s, struct err *err)
{
	if (!has_room(c, s))
		return err_set_unsupported(err, "a schedule of %u decisions is too long (--max-steps)",
					   s->decisions_len);
	if (s->decisions_len)
		memcpy(channel_at(c, c->decisions), s->decisions,
		       s->decisions_len * sizeof(*s->decisions));
	if (s->sleepers_len)
		memcpy(channel_at(c, c->sleepers), s->sleepers,
		       s->sleepers_len * sizeof(*s->sleepers));
	c->schedule = *s;
	if (s->guides_len)
		memcpy(c->guides, s->guides, s->guides_len * sizeof(*s->guides));
	return true;
}

/* Without fixed addresses a code site is named by module and offset, like a global. */
static uint64_t stable_site(const struct channel *c, uint64_t site)
{
	for (uint32_t m = 0; m < c->modules_len; m++)
		if (site >= c->modules[m].start && site < c->modules[m].end)
			return (uint64_t)(m + 1) << 48 | (site - c->modules[m].base);
	return site;
}

static void stabilise_sites(struct channel *c)
{
	struct event *events = channel_at(c, c->events), *pending = channel_at(c, c->pending);
	struct plain *plains = channel_at(c, c->plains);
	struct notice *notices = channel_at(c, c->notices);

	for (uint32_t i = 0; i < c->events_len; i++)
		events[i].site = stable_site(c, events[i].site);
	for (uint32_t i = 0; i < c->pending_len; i++)
		pending[i].site = stable_site(c, pending[i].site);
	for (uint32_t i = 0; i < c->plains_len; i++)
		plains[i].site = stable_site(c, plains[i].site);
	for (uint32_t i = 0; i < c->notices_len; i++) {
		notices[i].site = stable_site(c, notices[i].site);
		notices[i].other_site = stable_site(c, notices[i].other_site);
	}
	for (uint32_t i = 0; i < c->lives_len; i++)
		c->lives[i].site = stable_site(c, c->lives[i].site);
	for (uint32_t i = 0; i < c->held_len; i++)
		c->held[i].site = stable_site(c, c->held[i].site);
}

/* The program has overwritten the memory that it shares with us: nothing of it counts. */
static void give_up_channel(struct native *n, struct trace *t)
{
	const struct channel *laid_out = n->program.laid_out;

	check_repair(n->program.channel, laid_out);
	n->is_overwritten = true;
	*t = (struct trace){
		.actors = channel_at(n->program.channel, laid_out->actors),
		.end = END_LOST,
		.end_actor = ACTOR_NONE,
		.message = "the program has overwritten the memory by which it is controlled",
	};
}

/* The model under which runs are made now. */
static uint32_t memory_of(const struct channel *c)
{
	return c->options.memory == MEMORY_RF && !c->weaker ? MEMORY_SC : c->options.memory;
}

/* False if the channel is not sound; the trace then says that control is lost. */
static bool read_trace(struct native *n, struct trace *t)
{
	struct channel *c = n->program.channel;

	if (!check_channel(c, n->program.laid_out)) {
		give_up_channel(n, t);
		return false;
	}
	if (!c->fixed_addresses)
		stabilise_sites(c);
	*t = (struct trace){
		.actors = channel_at(c, c->actors),
		.actors_len = c->actors_len,
		.enabled_words = c->enabled_words,
		.events = channel_at(c, c->events),
		.events_len = c->events_len,
		.pending = channel_at(c, c->pending),
		.pending_len = c->pending_len,
		.enabled = channel_at(c, c->enabled),
		.plains = channel_at(c, c->plains),
		.plains_len = c->plains_len,
		.notices = channel_at(c, c->notices),
		.notices_len = c->notices_len,
		.withdrawn = channel_at(c, c->withdrawn),
		.withdrawn_len = c->withdrawn_len,
		.lives = c->lives,
		.lives_len = c->lives_len,
		.held = c->held,
		.held_len = c->held_len,
		.end = c->end,
		.end_actor = c->end_actor,
		.code = c->code,
		.void_turns = c->void_turns,
		.dropped = c->dropped,
		.bounded = c->bounded,
		.assumed = c->assumed,
		.memory = memory_of(c),
		.address = c->address,
		.message = c->message,
		.output = n->program.output,
		.output_len = c->output_len < c->max_output ? c->output_len : c->max_output,
	};
	if (check_trace(c, t))
		return true;
	give_up_channel(n, t);
	return false;
}


/* The serving process itself is gone: killed from outside, or by a wild write. */
static void read_death(struct native *n, struct trace *t)
{
	if (read_trace(n, t))
		native_describe_death(n, t);
}

/* Appends the schedules after the first to the request; returns how many fit. */
static uint32_t write_more(struct channel *c, const struct schedule *schedules, uint32_t len)
{
	uint64_t at = c->more;
	uint32_t i;

	for (i = 0; i < len; i++) {
		const struct schedule *s = &schedules[i];
		uint64_t decisions = s->decisions_len * sizeof(*s->decisions);
		uint64_t sleepers = s->sleepers_len * sizeof(*s->sleepers);
		uint64_t guides = s->guides_len * sizeof(*s->guides);

		if (at + sizeof(*s) + decisions + sleepers + guides > c->more + c->more_size ||
		    !has_room(c, s))
			break;
		*(struct schedule *)channel_at(c, at) = *s;
		at += sizeof(*s);
		if (decisions)
			memcpy(channel_at(c, at), s->decisions, decisions);
		if (sleepers)
			memcpy(channel_at(c, at + decisions), s->sleepers, sleepers);
		if (guides)
			memcpy(channel_at(c, at + decisions + sleepers), s->guides, guides);
		at += decisions + sleepers + guides;
	}
	return i;
}

static const void *next_array(struct channel *c, uint64_t *at, uint64_t bytes)
{
	const void *array = channel_at(c, *at);

	*at += channel_round(bytes);
	return array;
}

/* One of the traces that were kept before the last run; *next goes on to the one behind it.
 * False if it is not sound. */
static bool read_done(struct native *n, uint64_t *next, struct trace *t)
{
	struct channel *c = n->program.channel;
	const struct channel_done *d = channel_at(c, *next);
	uint64_t at = *next + sizeof(*d);

	if (!check_done(c, *next, d))
		return false;
	*next += d->size;
	*t = (struct trace){
		.actors = channel_at(c, c->actors), .actors_len = d->actors_len,
		.enabled_words = c->enabled_words, .events_len = d->events_len,
		.pending_len = d->pending_len, .plains_len = d->plains_len,
		.withdrawn_len = d->withdrawn_len, .lives_len = d->lives_len,
		.held_len = d->held_len, .end = d->end, .end_actor = d->end_actor,
		.code = d->code, .void_turns = d->void_turns, .dropped = d->dropped,
		.bounded = d->bounded, .assumed = d->assumed, .message = "",
		.memory = memory_of(c),
		.output_len = d->output_len,
	};
	t->events = next_array(c, &at, d->events_len * sizeof(*t->events));
	t->enabled = next_array(c, &at, (d->events_len + 1ull) * c->enabled_words * 8);
	t->pending = next_array(c, &at, d->pending_len * sizeof(*t->pending));
	t->plains = next_array(c, &at, d->plains_len * sizeof(*t->plains));
	t->withdrawn = next_array(c, &at, d->withdrawn_len * sizeof(*t->withdrawn));
	t->lives = next_array(c, &at, d->lives_len * sizeof(*t->lives));
	t->held = next_array(c, &at, d->held_len * sizeof(*t->held));
	t->output = next_array(c, &at, d->output_len);
	return check_trace(c, t);
}

/* Is memory really put back? The default schedule must give the same trace as before, at
 * the start and every so many runs. If not, the runs are made by fork from now on, and
 * *trace says that the exploration must begin anew. */
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
		write_schedule(c, &first, NULL);
		c->more_len = 0;
		answer = program_request(&n->program, COMMAND_RUN);
		n->is_stopped = answer == PROGRAM_STOPPED;
		if (answer != PROGRAM_ANSWERED)
			return true; /* of its death the next request will tell */
		read_trace(n, trace);
		if (trace->end == END_RELEARN || trace->end == END_LOST || trace->end == END_SILENT) {
			n->check_hash = 0;
			return true;
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
	read_trace(n, trace);
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
	if (!program_ask(&n->program) || !read_trace(n, t))
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
		return true;
	if (n->is_stopped)
		return explain_stop(n, trace, err);
	if (n->is_overwritten) {
		give_up_channel(n, trace);
		return true;
	}
	if (!write_schedule(n->program.channel, schedule, err))
		return false;
	n->program.channel->more_len = 0;
	switch (program_request(&n->program, COMMAND_RUN)) {
	case PROGRAM_ANSWERED:
		read_trace(n, trace);
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
		return 1;
	if (n->is_stopped) {
		explain_stop(n, traces, err);
		return 0;
	}
	if (n->is_overwritten) {
		give_up_channel(n, traces);
		return 1;
	}
	if (!write_schedule(c, schedules, err))
		return 0;
	c->more_len = write_more(c, schedules + 1, len - 1);
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
		give_up_channel(n, traces);
		return 1;
	}
	at = c->done;
	for (uint32_t i = 0; i < done_len; i++) {
		if (!read_done(n, &at, &traces[i])) {
			give_up_channel(n, traces);
			return 1;
		}
	}
	read_trace(n, &traces[done_len]);
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
		.equivalence = memory_of(c) == MEMORY_RF ? "rf" : NULL,
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

	write_schedule(n->program.channel, &first, NULL);
	n->program.channel->more_len = 0;
	if (program_request(&n->program, COMMAND_RUN) == PROGRAM_ANSWERED) {
		read_trace(n, &trace);
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

	if (!write_schedule(n->program.channel, schedule, err))
		return -1;
	n->program.channel->more_len = 0;
	pid = program_request_stopped(&n->program, step);
	if (pid < 0)
		err_set(err, "the run did not come to its end");
	return pid;
}
