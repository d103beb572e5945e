/* enumerate.c: a slow enumerator of execution graphs, for comparing: every graph that a memory model
 * allows. It shares nothing with src/weak but the hash of an outcome.
 *
 *	enumerate MODEL <PROGRAMS     MODEL is sc, tso or rc11
 *
 * Each line of the input is a program: threads separated by "|", steps by ";":
 *
 *	load VAR ORDER    store VAR VALUE ORDER    add VAR VALUE ORDER    xchg VAR VALUE ORDER
 *	cas VAR EXPECTED VALUE ORDER FAILED_ORDER    fence ORDER
 *	await VAR VALUE ORDER: a loop that loads until it has the value; one load that waits
 *	lock M    unlock M    try M    untry M: trylock, and unlock if that succeeded
 *	wait S    post S    trywait S    rdlock W    rdunlock W    wrlock W    wrunlock W
 *	fwait VAR EXPECTED    fwake VAR: one waiting thread    fwakeall VAR
 *
 * For each program it prints the number of complete graphs, the number of graphs that end in a deadlock,
 * and the name that the tool has for each outcome.
 *
 * Program order and reads-from have no cycle in the models here, so each graph can be built by letting
 * threads take their steps in some order, where a read reads any write that is there and a write goes
 * anywhere into the modification order. All orders are tried; a graph counts once. axioms.c evaluates the
 * axioms as they are written, on sets of pairs.
 *
 * A futex wait is three events: the thread enters the set of waiting threads; it loads the word; it
 * either leaves (the word has changed) or goes on when a wake-up has chosen it. */
#include "enumerate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static const char *const order_names[] = {"rlx", "acq", "rel", "ar", "sc", "na", "look"};
static const char var_names[] = "xyzmnswXYZ"; /* X, Y and Z are the futexes of x, y and z */

static const struct {
	const char *name;
	enum step_kind kind;
	enum action action;
} step_names[] = {
	{"load", STEP_LOAD, 0}, {"store", STEP_STORE, 0}, {"add", STEP_ADD, 0},
	{"xchg", STEP_XCHG, 0}, {"cas", STEP_CAS, 0}, {"fence", STEP_FENCE, 0},
	{"await", STEP_AWAIT, 0}, {"untry", STEP_UNTRY, UNLOCK}, {"fwait", STEP_FWAIT, 0},
	{"lock", STEP_OBJECT, LOCK}, {"unlock", STEP_OBJECT, UNLOCK}, {"try", STEP_OBJECT, TRY},
	{"wait", STEP_OBJECT, SEM_WAIT}, {"post", STEP_OBJECT, SEM_POST},
	{"trywait", STEP_OBJECT, SEM_TRY}, {"rdlock", STEP_OBJECT, RDLOCK},
	{"rdunlock", STEP_OBJECT, RDUNLOCK}, {"wrlock", STEP_OBJECT, WRLOCK},
	{"wrunlock", STEP_OBJECT, WRUNLOCK}, {"fwake", STEP_OBJECT, WAKE_ONE},
	{"fwakeall", STEP_OBJECT, WAKE_ALL},
};

enum { HELD = -1 }; /* the value of a lock; else the number of readers */

static _Noreturn void fail(const char *words, const char *what)
{
	fprintf(stderr, "enumerate: %s: %s\n", words, what);
	exit(2);
}

/* ---- the program ---- */

static int parse_order(const char *word)
{
	for (int i = 0; word && i <= ORDER_LOOK; i++)
		if (!strcmp(order_names[i], word))
			return i;
	fail("unknown order", word ? word : "none");
}

static int parse_var(const char *word)
{
	const char *at = word ? strchr(var_names, *word) : NULL;

	if (!at)
		fail("unknown variable", word ? word : "none");
	return (int)(at - var_names);
}

static struct step parse_step(char *text)
{
	char *words[6] = {0}, *rest = NULL;
	struct step step = {0};
	int len = 0;
	size_t i = 0;

	for (char *w = strtok_r(text, " ", &rest); w && len < 6; w = strtok_r(NULL, " ", &rest))
		words[len++] = w;
	while (i < sizeof(step_names) / sizeof(*step_names) && strcmp(step_names[i].name, words[0]))
		i++;
	if (i == sizeof(step_names) / sizeof(*step_names))
		fail("unknown step", words[0]);
	step.kind = step_names[i].kind;
	step.action = step_names[i].action;
	if (step.kind == STEP_FENCE) {
		step.order = parse_order(words[1]);
		return step;
	}
	step.var = parse_var(words[1]);
	if (step.action == WAKE_ONE || step.action == WAKE_ALL)
		step.var += FUTEXES;
	if (len > 3 || step.kind == STEP_FWAIT)
		step.value = atoi(words[2]);
	if (step.kind == STEP_CAS) {
		step.written = atoi(words[3]);
		step.failed_order = parse_order(words[5]);
		step.order = parse_order(words[4]);
	} else if (step.kind != STEP_OBJECT && step.kind != STEP_UNTRY && step.kind != STEP_FWAIT) {
		step.order = parse_order(words[len - 1]);
	}
	return step;
}

static void parse_program(char *line, struct program *p)
{
	char *threads = NULL, *steps = NULL;

	line[strcspn(line, "\n")] = '\0';
	p->threads = 0;
	for (char *t = strtok_r(line, "|", &threads); t; t = strtok_r(NULL, "|", &threads)) {
		int len = 0;

		if (p->threads == THREADS)
			fail("too many threads", t);
		for (char *s = strtok_r(t, ";", &steps); s; s = strtok_r(NULL, ";", &steps)) {
			if (len == STEPS)
				fail("too many steps", s);
			p->steps[p->threads][len++] = parse_step(s);
		}
		p->len[p->threads++] = len;
	}
}

/* ---- a graph grows by an event ---- */

static struct {
	struct graph *items;
	size_t len, cap;
} found; /* the ways in which a thread can take its step */

static const struct event *last_of(const struct graph *g, int thread)
{
	return g->len[thread] ? &g->events[thread][g->len[thread] - 1] : NULL;
}

/* Adds the graph with the event to `found`. A write goes to this place of the modification order. */
static struct graph *extend(const struct graph *g, struct event e, int place, bool ends_step)
{
	struct graph *more;

	if (found.len == found.cap) {
		found.cap = found.cap ? 2 * found.cap : 64;
		found.items = realloc(found.items, found.cap * sizeof(*found.items));
	}
	more = &found.items[found.len++];
	*more = *g;
	if (g->len[e.thread] == EVENTS)
		fail("too many events", "in a thread");
	e.index = g->len[e.thread];
	more->events[e.thread][more->len[e.thread]++] = e;
	more->at[e.thread] = (int8_t)(more->at[e.thread] + ends_step);
	if (event_writes(&e)) {
		int8_t *mo = more->mo[e.var];

		memmove(mo + place + 1, mo + place, (size_t)(more->mo_len[e.var] - place));
		mo[place] = event_key(&e);
		more->mo_len[e.var]++;
	}
	return more;
}

static int initial_of(int var)
{
	return var_names[var] == 's'; /* the semaphore begins with one */
}

/* The write before a place of the modification order, and its value. */
static int source_at(const struct graph *g, int var, int place, int *value)
{
	*value = place ? graph_event(g, g->mo[var][place - 1])->written : initial_of(var);
	return place ? g->mo[var][place - 1] : INITIAL;
}

/* The value of an object after a step on it. False if the step must wait. */
static bool change(enum action action, int value, int *written)
{
	switch (action) {
	case LOCK:
	case TRY:
	case WRLOCK:
		*written = HELD;
		return value == 0;
	case RDLOCK:
		*written = value + 1;
		return value != HELD;
	case RDUNLOCK:
		*written = value - 1;
		return true;
	case SEM_WAIT:
	case SEM_TRY:
		*written = value - 1;
		return value > 0;
	case SEM_POST:
		*written = value + 1;
		return true;
	default:
		*written = 0;
		return true;
	}
}

static void take_object(const struct graph *g, struct event e, bool ends_step)
{
	int last = g->mo_len[e.var], value, written;

	for (int place = 0; place <= last; place++) {
		e.source = (int8_t)source_at(g, e.var, place, &value);
		e.value = (int8_t)value;
		if (change(e.action, value, &written)) {
			e.written = (int8_t)written;
			if (place == last)
				extend(g, e, place, ends_step);
		} else if (e.action == TRY || e.action == SEM_TRY) {
			struct event fails = e;

			fails.kind = READ;
			fails.is_locked = e.action == TRY;
			extend(g, fails, place, ends_step);
		}
	}
}

static bool has_locked(const struct graph *g, int thread, int var)
{
	bool has = false;

	for (int i = 0; i < g->len[thread]; i++)
		if (g->events[thread][i].action == TRY && g->events[thread][i].var == var)
			has = g->events[thread][i].kind == UPDATE;
	return has;
}

static void take_access(const struct graph *g, struct event e, const struct step *s)
{
	for (int place = 0; place <= g->mo_len[s->var]; place++) {
		int value;

		e.source = (int8_t)source_at(g, s->var, place, &value);
		e.value = (int8_t)value;
		e.order = s->order;
		e.written = (int8_t)s->value;
		e.kind = s->kind == STEP_STORE ? WRITE : s->kind == STEP_LOAD ? READ : UPDATE;
		if (s->kind == STEP_AWAIT) {
			e.kind = READ;
			if (value != s->value)
				continue;
		} else if (s->kind == STEP_ADD) {
			e.written = (int8_t)(value + s->value);
		} else if (s->kind == STEP_CAS) {
			e.kind = value == s->value ? UPDATE : READ;
			e.order = value == s->value ? s->order : s->failed_order;
			e.written = (int8_t)s->written;
		}
		e.is_locked = s->kind == STEP_ADD || s->kind == STEP_XCHG || s->kind == STEP_CAS;
		if (e.kind == READ)
			e.written = 0;
		if (e.kind == WRITE)
			e.source = INITIAL, e.value = 0;
		extend(g, e, place, true);
	}
}

/* The three events of waiting for a futex. */
static void take_futex_wait(const struct graph *g, struct event e, const struct step *s)
{
	const struct event *before = last_of(g, e.thread);
	enum action phase = before && g->at[e.thread] == before->step ? before->action : NO_ACTION;

	e.var = (int8_t)(s->var + FUTEXES);
	e.kind = UPDATE;
	if (phase == NO_ACTION) {
		e.action = ENTER;
		e.is_locked = true;
		take_object(g, e, false);
	} else if (phase == ENTER) {
		e.var = (int8_t)s->var;
		e.kind = READ;
		e.order = ORDER_LOOK;
		e.action = LOOK;
		for (int place = 0; place <= g->mo_len[s->var]; place++) {
			int value;

			e.source = (int8_t)source_at(g, s->var, place, &value);
			e.value = (int8_t)value;
			e.blocks = value == s->value;
			extend(g, e, place, false);
		}
	} else {
		e.action = before->blocks ? WOKEN : LEAVE;
		e.is_locked = true;
		if (e.action == LEAVE || futex_can_wake(g, e.var, e.thread))
			take_object(g, e, true);
	}
}

static void take_step(const struct graph *g, int thread, const struct step *s)
{
	struct event e = {.thread = (int8_t)thread, .var = (int8_t)s->var, .source = INITIAL,
			  .order = ORDER_NONE, .step = g->at[thread]};

	found.len = 0;
	if (s->kind == STEP_FENCE) {
		e.kind = FENCE;
		e.order = s->order;
		extend(g, e, 0, true);
	} else if (s->kind == STEP_FWAIT) {
		take_futex_wait(g, e, s);
	} else if (s->kind == STEP_UNTRY && !has_locked(g, thread, s->var)) {
		e.kind = NOTHING;
		extend(g, e, 0, true);
	} else if (s->kind == STEP_OBJECT || s->kind == STEP_UNTRY) {
		e.kind = UPDATE;
		e.action = s->action;
		e.is_locked = s->action != WAKE_ONE && s->action != WAKE_ALL;
		take_object(g, e, true);
	} else {
		take_access(g, e, s);
	}
}

/* ---- each graph once ---- */

struct name {
	uint64_t a, b;
};

struct names {
	struct name *items;
	size_t len, cap;
};

static struct names seen, classes;

/* How much of the modification order is in a name. */
enum places { ALL_PLACES, LAST_PLACES, NO_PLACES };

static size_t put_places(const struct graph *g, enum places places, unsigned char *text)
{
	size_t len = 0;

	for (int v = 0; v < VARS && places != NO_PLACES; v++) {
		int from = places == LAST_PLACES && g->mo_len[v] ? g->mo_len[v] - 1 : 0;
		size_t count = (size_t)(g->mo_len[v] - from);

		text[len++] = (unsigned char)g->mo_len[v];
		memcpy(text + len, g->mo[v] + from, count);
		len += count;
	}
	return len;
}

static struct name name_of(const struct graph *g, enum places places)
{
	unsigned char text[THREADS * EVENTS * 8 + VARS * EVENTS * 2 + 64];
	size_t len = 0;

	for (int t = 0; t < THREADS; t++) {
		text[len++] = (unsigned char)g->len[t];
		for (int i = 0; i < g->len[t]; i++) {
			const struct event *e = &g->events[t][i];

			text[len++] = (unsigned char)e->kind;
			text[len++] = (unsigned char)e->action;
			text[len++] = (unsigned char)e->var;
			text[len++] = (unsigned char)e->source;
			text[len++] = (unsigned char)e->value;
			text[len++] = (unsigned char)e->written;
		}
	}
	len += put_places(g, places, text + len);
	text[len] = 1;
	return (struct name){hash_bytes(text, len), hash_bytes(text, len + 1)};
}

static bool put(struct name *items, size_t cap, struct name name)
{
	size_t i = name.a & (cap - 1);

	while (items[i].a || items[i].b) {
		if (items[i].a == name.a && items[i].b == name.b)
			return false;
		i = (i + 1) & (cap - 1);
	}
	items[i] = name;
	return true;
}

/* Is it the first time? */
static bool note(struct names *names, struct name name)
{
	if (2 * names->len >= names->cap) {
		size_t cap = names->cap ? 2 * names->cap : 4096;
		struct name *items = calloc(cap, sizeof(*items));

		for (size_t i = 0; i < names->cap; i++)
			if (names->items[i].a || names->items[i].b)
				put(items, cap, names->items[i]);
		free(names->items);
		names->items = items;
		names->cap = cap;
	}
	if (!put(names->items, names->cap, name))
		return false;
	names->len++;
	return true;
}

static void forget(struct names *names)
{
	names->len = 0;
	if (names->cap)
		memset(names->items, 0, names->cap * sizeof(*names->items));
}

/* ---- all graphs of a program ---- */

static struct {
	struct graph *items;
	size_t len, cap;
} todo;

static void push_todo(const struct graph *g)
{
	if (todo.len == todo.cap) {
		todo.cap = todo.cap ? 2 * todo.cap : 256;
		todo.items = realloc(todo.items, todo.cap * sizeof(*todo.items));
	}
	todo.items[todo.len++] = *g;
}

static uint64_t *outcomes;
static size_t outcomes_len, outcomes_cap;

/* The program prints the value of each step that reads, then the last values. Of a try it prints whether
 * it succeeded, of a futex wait whether it blocked. */
static void note_outcome(const struct program *p, const struct graph *g)
{
	char text[512];
	size_t len = 0;
	int value;
	uint64_t hash;

	for (int t = 0; t < p->threads; t++)
		for (int i = 0; i < g->len[t]; i++) {
			const struct event *e = &g->events[t][i];

			if (e->action == TRY || e->action == SEM_TRY)
				value = e->kind == UPDATE;
			else if (e->action == WOKEN || e->action == LEAVE)
				value = e->action == WOKEN;
			else if (event_reads(e) && e->var < OBJECTS && e->action == NO_ACTION)
				value = e->value;
			else
				continue;
			len += (size_t)sprintf(text + len, "%d ", value);
		}
	for (int v = 0; v < OBJECTS; v++) {
		source_at(g, v, g->mo_len[v], &value);
		len += (size_t)sprintf(text + len, "%d%c", value, v + 1 < OBJECTS ? ' ' : '\n');
	}
	hash = hash_combine(hash_combine(0, 0), hash_bytes(text, len));
	for (size_t i = 0; i < outcomes_len; i++)
		if (outcomes[i] == hash)
			return;
	if (outcomes_len == outcomes_cap) {
		outcomes_cap = outcomes_cap ? 2 * outcomes_cap : 64;
		outcomes = realloc(outcomes, outcomes_cap * sizeof(*outcomes));
	}
	outcomes[outcomes_len++] = hash;
}

/* A loop that waits sees the last value in the end. */
static bool waits_in_vain(const struct graph *g, const struct step *s)
{
	int value;

	source_at(g, s->var, g->mo_len[s->var], &value);
	return s->kind == STEP_AWAIT && value != s->value;
}

/* Does the graph count? For reads-from, if it is the first with these sources. At its end the program loads
 * all variables, if it comes there. */
static bool is_counted(const struct graph *g, bool is_complete, bool is_rf)
{
	return !is_rf || note(&classes, name_of(g, is_complete ? LAST_PLACES : NO_PLACES));
}

static void enumerate(const struct program *p, enum model model, bool is_rf)
{
	uint64_t complete = 0, stuck = 0;

	todo.len = outcomes_len = 0;
	forget(&seen);
	forget(&classes);
	push_todo(&(struct graph){0});
	while (todo.len) {
		struct graph g = todo.items[--todo.len];
		bool is_complete = true, is_stuck = true;

		for (int t = 0; t < p->threads; t++) {
			const struct step *s = &p->steps[t][g.at[t]];

			if (g.at[t] == p->len[t])
				continue;
			is_complete = false;
			take_step(&g, t, s);
			for (size_t i = 0; i < found.len; i++) {
				is_stuck = is_stuck && waits_in_vain(&g, s);
				if (note(&seen, name_of(&found.items[i], ALL_PLACES)) &&
				    is_allowed(&found.items[i], model))
					push_todo(&found.items[i]);
			}
		}
		if (is_complete) {
			complete += is_counted(&g, true, is_rf);
			note_outcome(p, &g);
		}
		stuck += !is_complete && is_stuck && is_counted(&g, false, is_rf);
	}
	printf("%" PRIu64 " %" PRIu64, complete, stuck);
	for (size_t i = 0; i < outcomes_len; i++)
		printf(" %016" PRIx64, outcomes[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	static char line[65536];
	struct program program;
	bool is_rf = argc == 2 && !strcmp(argv[1], "rf");
	enum model model = argc == 2 && (is_rf || !strcmp(argv[1], "sc")) ? MODEL_SC :
			   argc == 2 && !strcmp(argv[1], "tso") ? MODEL_TSO : MODEL_RC11;

	if (argc != 2 || (model == MODEL_RC11 && strcmp(argv[1], "rc11")))
		fail("expects a model", "sc, rf, tso or rc11");
	while (fgets(line, sizeof(line), stdin)) {
		parse_program(line, &program);
		enumerate(&program, model, is_rf);
		fflush(stdout);
	}
	return 0;
}
