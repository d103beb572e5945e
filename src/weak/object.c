#include "weak/object.h"

enum { FREE = 0, HELD = 0xffffffff, DESTROYED = 0xfffffffe };
enum { FRESH = 0, RUNNING = 1, DONE = 2 };
enum { THREADS_MAX = 64, SIGNALS_MAX = 64 };

static bool is_condition_step(uint32_t action)
{
	return action == EVENT_COND_WAIT || action == EVENT_COND_WAKE ||
	       action == EVENT_COND_SIGNAL || action == EVENT_COND_BROADCAST ||
	       action == EVENT_FUTEX_WAIT;
}

static bool is_try(uint32_t action)
{
	return action == EVENT_TRYLOCK || action == EVENT_TRYRDLOCK || action == EVENT_SEM_TRYWAIT;
}

static bool has_one_object(const struct event *e)
{
	return e->access_len == 1 ||
	       (e->access_len == 2 && e->accesses[0].object == e->accesses[1].object);
}

bool object_is_modelled(const struct event *e)
{
	switch (e->kind) {
	case EVENT_LOCK: /* EVENT_TRY: without a time limit */
	case EVENT_RDLOCK:
	case EVENT_SEM_WAIT:
	case EVENT_ONCE:
		return e->is_weak && e->access_len == 1 && e->flags & EVENT_TRY;
	case EVENT_UNLOCK:
	case EVENT_RDUNLOCK:
	case EVENT_TRYLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_SEM_TRYWAIT:
	case EVENT_SEM_POST:
		return e->is_weak && e->access_len == 1;
	case EVENT_DESTROY:
		return e->is_weak && has_one_object(e);
	case EVENT_ONCE_DONE: /* not left by an exception */
		return e->is_weak && e->access_len == 1 && !(e->flags & EVENT_FAILED);
	case EVENT_COND_WAIT:
	case EVENT_COND_WAKE:
	case EVENT_COND_SIGNAL:
	case EVENT_COND_BROADCAST:
		return e->is_weak && e->access_len == 1 && e->actor < THREADS_MAX;
	case EVENT_FUTEX_WAIT:
	case EVENT_FUTEX_WAKE:
		return e->is_weak && e->access_len == 1 && e->actor < THREADS_MAX;
	case EVENT_FUTEX_BLOCK: /* EVENT_TRY: without a time limit */
		return e->is_weak && e->access_len == 1 && e->actor < THREADS_MAX &&
		       e->flags & EVENT_TRY;
	case EVENT_BARRIER_ARRIVE: /* of a barrier, and of its round */
		return e->is_weak && e->access_len == 2;
	case EVENT_IO_WRITE: /* printing; always possible, as flockfile() is not modelled */
		return e->access_len == 1 && (e->accesses[0].mode == ACCESS_WRITE ||
					      e->accesses[0].mode == ACCESS_ACQUIRE);
	default:
		return false;
	}
}

/* The access of a condition's step to the mutex, or NULL. */
static const struct access *mutex_of(const struct event *e)
{
	if (e->kind != EVENT_COND_WAIT && e->kind != EVENT_COND_WAKE)
		return NULL;
	for (uint32_t a = 0; a < e->access_len; a++)
		if (e->accesses[a].mode == ACCESS_RELEASE || e->accesses[a].mode == ACCESS_ACQUIRE)
			return &e->accesses[a];
	return NULL;
}

bool object_waited(const struct event *e)
{
	if (mutex_of(e))
		return true;
	return e->is_weak && e->access_len == 1 && !(e->flags & EVENT_FAILED) &&
	       (e->kind == EVENT_LOCK || e->kind == EVENT_RDLOCK || e->kind == EVENT_SEM_WAIT ||
		e->kind == EVENT_ONCE);
}

uint64_t object_of(const struct event *e)
{
	return mutex_of(e) ? mutex_of(e)->object : e->accesses[0].object;
}

/* The step as a step on a lock, if it is one, or on a condition, if it is on a futex. A wait for a
 * futex whose word has changed stays EVENT_FUTEX_WAIT: the thread leaves the set. */
static uint32_t action_of(const struct event *e)
{
	switch (e->kind) {
	case EVENT_COND_WAIT:
		return mutex_of(e) ? EVENT_UNLOCK : EVENT_COND_WAIT;
	case EVENT_COND_WAKE:
		return mutex_of(e) ? EVENT_LOCK : EVENT_COND_WAKE;
	case EVENT_FUTEX_WAIT:
		return e->flags & EVENT_FAILED ? EVENT_FUTEX_WAIT : EVENT_COND_WAIT;
	case EVENT_FUTEX_BLOCK:
		return EVENT_COND_WAKE;
	case EVENT_FUTEX_WAKE:
		return e->weak.written ? EVENT_COND_BROADCAST : EVENT_COND_SIGNAL;
	default:
		return e->kind;
	}
}

static bool is_futex_step(const struct event *e)
{
	return e->kind == EVENT_FUTEX_WAIT || e->kind == EVENT_FUTEX_BLOCK ||
	       e->kind == EVENT_FUTEX_WAKE;
}

/* ---- values ---- */

/* The value that the step leaves, if it finds this one; false: it has to wait, or fails. */
static bool change_value(uint32_t action, uint32_t found, uint32_t *left)
{
	*left = found;
	if (found == DESTROYED) /* misuse, which is reported; the step is possible */
		return true;
	switch (action) {
	case EVENT_LOCK:
	case EVENT_TRYLOCK:
		*left = HELD;
		return found == FREE;
	case EVENT_RDLOCK:
	case EVENT_TRYRDLOCK:
		*left = found + 1;
		return found != HELD;
	case EVENT_UNLOCK:
		*left = FREE;
		return true;
	case EVENT_SEM_WAIT:
	case EVENT_SEM_TRYWAIT:
		*left = found - 1;
		return found > 0;
	case EVENT_RDUNLOCK:
		*left = found - 1;
		return true;
	case EVENT_SEM_POST:
		*left = found + 1;
		return true;
	case EVENT_ONCE:
		*left = RUNNING;
		return found == FRESH;
	case EVENT_ONCE_DONE:
		*left = DONE;
		return true;
	case EVENT_DESTROY:
		*left = found == FREE ? DESTROYED : found;
		return true;
	default:
		return true;
	}
}

/* ---- conditions ---- */

/* Threads that wait, and for each signal under way those of them that it may wake
 * (runtime/calls/wait.c). */
struct condition {
	uint64_t waiting;
	uint64_t signals[SIGNALS_MAX];
	uint32_t signals_len;
};

static void add_signals(struct condition *c, bool all)
{
	uint32_t waiting = (uint32_t)__builtin_popcountll(c->waiting);

	while (c->signals_len < waiting && c->signals_len < SIGNALS_MAX) {
		c->signals[c->signals_len++] = c->waiting;
		if (!all)
			break;
	}
}

/* The oldest signal that may wake the thread, or signals_len. */
static uint32_t find_signal(const struct condition *c, uint32_t thread)
{
	uint32_t i = 0;

	while (i < c->signals_len && !(c->signals[i] >> thread & 1))
		i++;
	return i;
}

static void wake(struct condition *c, uint32_t thread)
{
	uint32_t i = find_signal(c, thread);

	for (c->signals_len -= i < c->signals_len; i < c->signals_len; i++)
		c->signals[i] = c->signals[i + 1];
	for (i = 0; i < c->signals_len; i++)
		c->signals[i] &= ~((uint64_t)1 << thread);
	c->waiting &= ~((uint64_t)1 << thread);
}

/* Without the thread, can all signals still be taken? The k oldest need k takers. */
static bool can_spare(const struct condition *c, uint32_t thread)
{
	for (uint32_t i = 0; i < c->signals_len; i++) {
		uint64_t others = c->signals[i] & ~((uint64_t)1 << thread);

		if ((uint32_t)__builtin_popcountll(others) < i + 1)
			return false;
	}
	return true;
}

/* The thread leaves without being woken. It takes a signal along that no other thread can take. */
static void leave(struct condition *c, uint32_t thread)
{
	uint64_t bit = (uint64_t)1 << thread;

	if (!can_spare(c, thread)) {
		wake(c, thread);
		return;
	}
	for (uint32_t i = 0; i < c->signals_len; i++)
		c->signals[i] &= ~bit;
	c->waiting &= ~bit;
}

static bool can_wake(const struct graph *g, const struct node *node)
{
	const struct node_ids *writes;
	struct condition c = {0};

	if (node->source == NODE_INITIAL)
		return false;
	writes = &graph_variable(g, node)->writes;
	for (uint32_t p = 1; p <= graph_place(g, node->source); p++) {
		const struct node *n = graph_node(g, writes->items[p]);

		if (n->action == EVENT_COND_WAIT)
			c.waiting |= (uint64_t)1 << n->thread;
		else if (n->action == EVENT_COND_WAKE)
			wake(&c, n->thread);
		else if (n->action == EVENT_FUTEX_WAIT)
			leave(&c, n->thread);
		else if (n->action != EVENT_DESTROY)
			add_signals(&c, n->action == EVENT_COND_BROADCAST);
	}
	return find_signal(&c, node->thread) < c.signals_len;
}

/* ---- nodes ---- */

static uint8_t order_of(const struct node *n)
{
	switch (n->action) {
	case EVENT_LOCK:
	case EVENT_TRYLOCK:
	case EVENT_RDLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_SEM_WAIT:
	case EVENT_SEM_TRYWAIT:
		return n->kind == NODE_UPDATE ? MEMORY_ORDER_ACQUIRE : MEMORY_ORDER_RELAXED;
	case EVENT_ONCE:
		return MEMORY_ORDER_ACQUIRE;
	case EVENT_UNLOCK:
	case EVENT_RDUNLOCK:
	case EVENT_SEM_POST:
	case EVENT_ONCE_DONE:
		return MEMORY_ORDER_RELEASE;
	case EVENT_BARRIER_ARRIVE:
		return MEMORY_ORDER_ACQ_REL;
	default:
		return MEMORY_ORDER_RELAXED;
	}
}

/* Is it a locked instruction on x86? A mutex is tried with one; a semaphore is looked at first. */
static bool is_locked(const struct node *n)
{
	if (n->action == EVENT_COND_SIGNAL || n->action == EVENT_COND_BROADCAST ||
	    n->action == EVENT_DESTROY)
		return false;
	return n->kind == NODE_UPDATE || n->action == EVENT_LOCK || n->action == EVENT_TRYLOCK;
}

void object_read(const struct event *e, struct node *n)
{
	bool is_shared_once = e->kind == EVENT_ONCE && e->accesses[0].mode != ACCESS_ACQUIRE;
	bool has_gone = e->kind == EVENT_DESTROY || e->kind == EVENT_FUTEX_WAIT || mutex_of(e) ||
			(!(e->flags & EVENT_FAILED) && !is_shared_once);

	n->action = (uint8_t)action_of(e);
	n->is_futex = is_futex_step(e);
	n->found = e->is_weak ? (uint32_t)e->weak.written : 0;
	n->kind = has_gone ? NODE_UPDATE : NODE_READ;
	n->order = order_of(n);
	n->is_barrier = is_locked(n);
	change_value(n->action, n->found, &n->left);
}

void object_place(const struct graph *g, struct node *n)
{
	if (n->source != NODE_INITIAL && graph_node(g, n->source)->left == DESTROYED)
		n->found = n->left = DESTROYED;
}

static uint32_t value_after(const struct graph *g, uint32_t initial, uint32_t write)
{
	return write == NODE_INITIAL ? initial : graph_node(g, write)->left;
}

enum object_answer object_answer(const struct graph *g, uint32_t initial, struct node *n)
{
	bool goes;

	n->found = value_after(g, initial, n->source);
	goes = change_value(n->action, n->found, &n->left);
	if (n->action == EVENT_COND_WAKE)
		goes = can_wake(g, n);
	n->kind = goes ? NODE_UPDATE : NODE_READ;
	n->order = order_of(n);
	n->is_barrier = is_locked(n);
	if (goes || (n->action == EVENT_ONCE && n->found == DONE))
		return OBJECT_GOES;
	return is_try(n->action) ? OBJECT_FAILS : OBJECT_WAITS;
}

bool object_agrees(const struct graph *g, uint32_t initial, const struct node *ran)
{
	struct node n = *ran;

	if (n.action == EVENT_IO_WRITE)
		return true;
	object_answer(g, initial, &n);
	if (n.found == DESTROYED)
		return true;
	if (is_condition_step(n.action) || n.action == EVENT_BARRIER_ARRIVE)
		return n.kind == ran->kind;
	if (is_try(n.action) && ran->kind == NODE_READ) /* the value that it read was an old one */
		return n.kind == NODE_READ;
	return n.kind == ran->kind && n.found == ran->found;
}

bool object_is_shown(const struct graph *g, uint32_t load, uint32_t write, enum memory_model model)
{
	const struct node *entered = graph_node(g, graph_node(g, load)->before);
	const struct node_ids *steps = &graph_variable(g, entered)->writes;

	for (uint32_t p = 1; p < entered->place; p++) {
		uint32_t step = steps->items[p];
		uint8_t action = graph_node(g, step)->action;

		if (action != EVENT_COND_SIGNAL && action != EVENT_COND_BROADCAST)
			continue;
		if (model == MEMORY_RC11 ? graph_happens_before(g, write, step)
					 : bitset_has(graph_prefix(g, step), write))
			return true;
	}
	return false;
}

uint32_t object_released_by(const struct graph *g, const struct node *n)
{
	uint32_t write = n->source;

	if (n->action == EVENT_RDLOCK || n->action == EVENT_TRYRDLOCK)
		while (write != NODE_INITIAL && graph_node(g, write)->action != EVENT_UNLOCK)
			write = graph_node(g, write)->source;
	return write;
}

bool object_is_try(const struct node *n)
{
	return is_try(n->action);
}

bool object_reads_any(const struct node *n)
{
	return is_try(n->action) && n->kind == NODE_READ;
}
