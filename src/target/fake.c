#include "target/fake.h"

#include <string.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/mem.h"
#include "core/follower.h"
#include "core/object.h"

enum { FAKE_EVENTS = FAKE_THREADS * FAKE_STEPS * 2 };

struct fake_thread {
	uint32_t next; /* step to take */
	uint32_t ordinal;
	uint64_t memory;
	uint64_t last_read;
	bool waiting; /* between the two halves of FAKE_COND_WAIT */
	bool aborting;
	bool has_event;
	struct event announced;
};

/* A signal: any of `eligible`, a set of threads, may take it. */
struct fake_token {
	uint32_t eligible;
	uint32_t actor, ordinal; /* of the signal */
};

struct fake_state {
	uint64_t vars[FAKE_OBJECTS];
	uint32_t owners[FAKE_OBJECTS]; /* thread + 1 */
	int32_t semaphores[FAKE_OBJECTS];
	struct fake_token tokens[FAKE_OBJECTS][FAKE_THREADS]; /* oldest first */
	uint32_t tokens_len[FAKE_OBJECTS];
	uint32_t waiters[FAKE_OBJECTS]; /* set of threads */
	struct fake_thread threads[FAKE_THREADS];
};

struct fake {
	struct target base;
	const struct fake_program *program;
	struct fake_state state;
	struct actor actors[FAKE_THREADS];
	struct event events[FAKE_EVENTS];
	struct event pending[FAKE_THREADS];
	uint64_t enabled[FAKE_EVENTS + 1];
	uint64_t final_state;
};

static const struct fake_step *step_of(const struct fake *f, uint32_t t)
{
	return &f->program->steps[t][f->state.threads[t].next];
}

static void add_access(struct event *event, enum object_class class, uint32_t object,
		       enum access_mode mode)
{
	event->accesses[event->access_len++] =
		(struct access){.object = OBJECT(class, object + 1), .mode = mode};
}

static void describe(struct fake *f, uint32_t t, struct event *event)
{
	const struct fake_step *step = step_of(f, t);
	static const struct {
		uint16_t kind;
		uint8_t class, mode;
	} plain[] = {
		[FAKE_READ] = {EVENT_LOAD, OBJECT_MEMORY, ACCESS_READ},
		[FAKE_WRITE] = {EVENT_STORE, OBJECT_MEMORY, ACCESS_WRITE},
		[FAKE_COPY] = {EVENT_STORE, OBJECT_MEMORY, ACCESS_WRITE},
		[FAKE_CAS] = {EVENT_CAS, OBJECT_MEMORY, ACCESS_WRITE},
		[FAKE_LOCK] = {EVENT_LOCK, OBJECT_LOCK, ACCESS_ACQUIRE},
		[FAKE_UNLOCK] = {EVENT_UNLOCK, OBJECT_LOCK, ACCESS_RELEASE},
		[FAKE_TRYLOCK] = {EVENT_TRYLOCK, OBJECT_LOCK, ACCESS_ACQUIRE},
		[FAKE_POST] = {EVENT_SEM_POST, OBJECT_SEM, ACCESS_GIVE},
		[FAKE_WAIT] = {EVENT_SEM_WAIT, OBJECT_SEM, ACCESS_TAKE},
		[FAKE_COND_WAIT] = {EVENT_COND_WAIT, OBJECT_COND, ACCESS_ENTER},
		[FAKE_COND_SIGNAL] = {EVENT_COND_SIGNAL, OBJECT_COND, ACCESS_SIGNAL},
		[FAKE_EXIT] = {EVENT_EXIT, OBJECT_NONE, ACCESS_WORLD},
	};

	*event = (struct event){.actor = t, .ordinal = f->state.threads[t].ordinal,
				.peer = ACTOR_NONE, .site = t * 100 + f->state.threads[t].next};
	if (f->state.threads[t].aborting) {
		event->kind = EVENT_ABORT;
		add_access(event, OBJECT_NONE, 0, ACCESS_WORLD);
		return;
	}
	event->kind = plain[step->op].kind;
	event->flags = step->op == FAKE_TRYLOCK ? EVENT_TRY : 0;
	add_access(event, plain[step->op].class, step->object, plain[step->op].mode);
	if (step->op == FAKE_COND_WAIT && f->state.threads[t].waiting) {
		event->kind = EVENT_COND_WAKE;
		event->accesses[0].mode = ACCESS_LEAVE;
		add_access(event, OBJECT_LOCK, (uint32_t)step->value, ACCESS_ACQUIRE);
	} else if (step->op == FAKE_COND_WAIT) {
		add_access(event, OBJECT_LOCK, (uint32_t)step->value, ACCESS_RELEASE);
	}
}

/* Runs the steps that are not events, then announces the next event. */
static void settle(struct fake *f, uint32_t t)
{
	struct fake_thread *thread = &f->state.threads[t];

	thread->has_event = false;
	while (thread->next < f->program->lens[t]) {
		const struct fake_step *step = step_of(f, t);

		if (step->op == FAKE_SKIP_IF_ZERO) {
			thread->next += thread->last_read == 0 ? 1 + (uint32_t)step->value : 1;
			continue;
		}
		if (step->op == FAKE_ASSERT_ZERO && thread->last_read == 0) {
			thread->next++;
			continue;
		}
		thread->aborting = step->op == FAKE_ASSERT_ZERO;
		describe(f, t, &thread->announced);
		thread->has_event = true;
		return;
	}
}

/* The oldest token of a condition that the thread may take, or NULL. */
static struct fake_token *token_for(struct fake_state *s, uint32_t condition, uint32_t t)
{
	for (uint32_t i = 0; i < s->tokens_len[condition]; i++)
		if (s->tokens[condition][i].eligible >> t & 1)
			return &s->tokens[condition][i];
	return NULL;
}

static bool is_enabled(struct fake *f, uint32_t t)
{
	struct fake_state *s = &f->state;
	const struct fake_step *step = step_of(f, t);

	if (!s->threads[t].has_event)
		return false;
	if (s->threads[t].aborting)
		return true;
	switch (step->op) {
	case FAKE_LOCK:
		return !s->owners[step->object];
	case FAKE_WAIT:
		return s->semaphores[step->object] > 0;
	case FAKE_COND_WAIT:
		return !s->threads[t].waiting ||
		       (token_for(s, step->object, t) && !s->owners[step->value]);
	default:
		return true;
	}
}

static void enter(struct fake_state *s, uint32_t t, const struct fake_step *step)
{
	s->owners[step->value] = 0;
	s->waiters[step->object] |= 1u << t;
	s->threads[t].waiting = true;
	s->threads[t].next--; /* the second half is still to come */
}

static void leave(struct fake_state *s, uint32_t t, const struct fake_step *step, struct event *did)
{
	uint32_t c = step->object;
	struct fake_token *token = token_for(s, c, t);

	event_set_feeder(did, token->actor, token->ordinal);
	s->tokens_len[c]--;
	memmove(token, token + 1,
		(char *)&s->tokens[c][s->tokens_len[c]] - (char *)token);
	for (uint32_t i = 0; i < s->tokens_len[c]; i++)
		s->tokens[c][i].eligible &= ~(1u << t);
	s->waiters[c] &= ~(1u << t);
	s->owners[step->value] = t + 1;
	s->threads[t].waiting = false;
}

static void send_signal(struct fake_state *s, uint32_t c, struct event *did)
{
	if (s->tokens_len[c] < (uint32_t)__builtin_popcount(s->waiters[c]))
		s->tokens[c][s->tokens_len[c]++] = (struct fake_token){
			.eligible = s->waiters[c], .actor = did->actor, .ordinal = did->ordinal};
	else
		did->accesses[0].mode = ACCESS_MISS;
}

static void act(struct fake *f, uint32_t t, struct event *did)
{
	struct fake_state *s = &f->state;
	struct fake_thread *thread = &s->threads[t];
	const struct fake_step *step = step_of(f, t);
	uint32_t o = step->object;

	thread->ordinal++;
	thread->next++;
	switch (step->op) {
	case FAKE_READ:
		thread->last_read = did->value = s->vars[o];
		thread->memory = hash_combine(thread->memory, s->vars[o]);
		break;
	case FAKE_WRITE:
		s->vars[o] = (uint64_t)step->value;
		break;
	case FAKE_COPY:
		s->vars[o] = thread->memory % 1000 + 1;
		break;
	case FAKE_CAS:
		thread->last_read = did->value = s->vars[o];
		if (s->vars[o])
			did->accesses[0].mode = ACCESS_READ;
		else
			s->vars[o] = (uint64_t)step->value;
		break;
	case FAKE_LOCK:
		s->owners[o] = t + 1;
		break;
	case FAKE_UNLOCK:
		s->owners[o] = 0;
		break;
	case FAKE_TRYLOCK:
		if (s->owners[o]) {
			did->accesses[0].mode = ACCESS_TRY;
			did->flags |= EVENT_FAILED;
			thread->next += (uint32_t)step->value;
		} else {
			s->owners[o] = t + 1;
		}
		break;
	case FAKE_POST:
		if (s->semaphores[o]++ > 0)
			did->flags |= EVENT_WAS_OPEN;
		break;
	case FAKE_WAIT:
		s->semaphores[o]--;
		break;
	case FAKE_COND_WAIT:
		if (thread->waiting)
			leave(s, t, step, did);
		else
			enter(s, t, step);
		break;
	case FAKE_COND_SIGNAL:
		send_signal(s, o, did);
		break;
	}
}

static uint64_t find_enabled(struct fake *f)
{
	uint64_t set = 0;

	for (uint32_t t = 0; t < f->program->threads_len; t++)
		if (f->state.threads[t].has_event && is_enabled(f, t))
			set |= (uint64_t)1 << t;
	return set;
}

/* A thread that waits with a token names the signal; without one it is unfed. */
static void name_feeder(struct fake *f, uint32_t t, struct event *event)
{
	const struct fake_token *token;

	if (!f->state.threads[t].waiting)
		return;
	token = token_for(&f->state, step_of(f, t)->object, t);
	if (!token) {
		event->flags |= EVENT_UNFED;
		return;
	}
	event_set_feeder(event, token->actor, token->ordinal);
}

static void fill_pending(struct fake *f, struct trace *trace, uint64_t enabled)
{
	for (uint32_t t = 0; t < f->program->threads_len; t++) {
		struct fake_thread *thread = &f->state.threads[t];
		struct event *event;

		if (!thread->has_event)
			continue;
		event = &f->pending[trace->pending_len++];
		*event = thread->announced;
		event_fix_announced(event);
		if (!(enabled >> t & 1))
			event->flags |= EVENT_BLOCKED;
		name_feeder(f, t, event);
	}
}

/* The final values of variables and threads, as an outsider would print them. */
static void fill_output(struct fake *f, struct trace *trace)
{
	uint64_t h = hash_bytes(f->state.vars, sizeof(f->state.vars));

	for (uint32_t t = 0; t < f->program->threads_len; t++)
		h = hash_combine(h, f->state.threads[t].memory);
	f->final_state = h;
	trace->output = (const char *)&f->final_state;
	trace->output_len = sizeof(f->final_state);
}

static uint32_t run_steps(struct fake *f, struct follower *follower, struct trace *trace)
{
	struct follower_view view = {
		.words = 1,
		.actors_len = f->program->threads_len,
		.announced = (const char *)&f->state.threads[0].announced,
		.stride = sizeof(struct fake_thread),
		.actors = f->actors,
	};

	for (;;) {
		uint64_t enabled = find_enabled(f);
		struct event *did;
		int pick;

		f->enabled[trace->events_len] = enabled;
		view.enabled = &f->enabled[trace->events_len];
		if (!enabled)
			return END_DONE;
		pick = follower_pick(follower, &view);
		if (pick < 0)
			return follower->end;
		did = &f->events[trace->events_len++];
		*did = f->state.threads[pick].announced;
		event_fix_announced(did);
		if (did->kind == EVENT_ABORT || did->kind == EVENT_EXIT) {
			f->state.threads[pick].has_event = false;
			f->enabled[trace->events_len] = enabled;
			return did->kind == EVENT_ABORT ? END_ABORT : END_EXIT;
		}
		act(f, (uint32_t)pick, did);
		settle(f, (uint32_t)pick);
		follower_took(follower, &view, did);
	}
}

static bool fake_run(struct target *self, const struct schedule *schedule, struct trace *trace,
		     struct err *err)
{
	struct fake *f = (struct fake *)self;
	static struct follower follower;

	memset(&f->state, 0, sizeof(f->state));
	for (uint32_t o = 0; o < FAKE_OBJECTS; o++)
		f->state.semaphores[o] = f->program->semaphores[o];
	*trace = (struct trace){
		.actors = f->actors,
		.actors_len = f->program->threads_len,
		.enabled_words = 1,
		.events = f->events,
		.enabled = f->enabled,
		.pending = f->pending,
		.end_actor = ACTOR_NONE,
	};
	for (uint32_t t = 0; t < f->program->threads_len; t++)
		settle(f, t);
	follower_start(&follower, schedule);
	trace->end = run_steps(f, &follower, trace);
	trace->dropped = follower.dropped;
	fill_pending(f, trace, f->enabled[trace->events_len]);
	if (trace->end == END_DONE && trace->pending_len)
		trace->end = END_DEADLOCK;
	fill_output(f, trace);
	return true;
}

static void fake_want_stacks(struct target *self, bool on)
{
}

static uint32_t fake_stack(struct target *self, uint32_t step, uint32_t actor,
			   struct target_frame *frames, uint32_t frames_max)
{
	return 0;
}

static void fake_describe_site(struct target *self, uint64_t site, struct target_frame *frame)
{
	*frame = (struct target_frame){.function = "fake", .file = "fake.c",
				       .line = (uint32_t)site, .address = site};
}

static void fake_describe_object(struct target *self, uint64_t object, struct strbuf *out)
{
	strbuf_addf(out, "object %u", (unsigned)OBJECT_NAME_OF(object) - 1);
}

static void fake_facts(struct target *self, struct target_facts *facts)
{
	*facts = (struct target_facts){.restart = "fake", .restart_reason = "", .not_proof = "",
				       .warnings = ""};
}

static bool fake_expose(struct target *self, uint64_t address, uint64_t size)
{
	return false;
}

static void fake_save_knowledge(struct target *self, struct strbuf *out)
{
}

static bool fake_load_knowledge(struct target *self, const char *text, struct err *err)
{
	return true;
}

static struct target *fake_again(struct target *self, struct err *err)
{
	return fake_create(((struct fake *)self)->program);
}

static void fake_free(struct target *self)
{
	mem_free(self);
}

static const struct target_ops fake_ops = {
	.run = fake_run,
	.want_stacks = fake_want_stacks,
	.stack = fake_stack,
	.describe_site = fake_describe_site,
	.describe_object = fake_describe_object,
	.facts = fake_facts,
	.expose = fake_expose,
	.save_knowledge = fake_save_knowledge,
	.load_knowledge = fake_load_knowledge,
	.again = fake_again,
	.free = fake_free,
};

struct target *fake_create(const struct fake_program *program)
{
	struct fake *f = mem_zalloc(sizeof(*f));

	f->base.ops = &fake_ops;
	f->program = program;
	for (uint32_t t = 0; t < program->threads_len; t++)
		f->actors[t] = (struct actor){
			.parent = t ? 0 : ACTOR_NONE, .kind = ACTOR_REAL, .nth = t ? t : 1};
	return &f->base;
}
