#include "vm/process/timer.h"

#include "vm/memory/heap.h"
#include "vm/memory/region.h"
#include "vm/process/mailbox.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

static bool is_before(const struct timer *a, const struct timer *b)
{
	if (a->deadline_ns != b->deadline_ns)
		return a->deadline_ns < b->deadline_ns;
	if (a->owner_value != b->owner_value)
		return a->owner_value < b->owner_value;
	if (a->number != b->number)
		return a->number < b->number;
	return b->kind == TIMER_RECEIVE;
}

static void place(struct timer_queue *queue, size_t i, struct timer *timer)
{
	queue->heap[i] = timer;
	timer->heap_index = i;
}

static void sift_up(struct timer_queue *queue, size_t i, struct timer *timer)
{
	while (i > 0 && is_before(timer, queue->heap[(i - 1) / 2])) {
		place(queue, i, queue->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	place(queue, i, timer);
}

static void sift_down(struct timer_queue *queue, size_t i, struct timer *timer)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= queue->len)
			break;
		if (child + 1 < queue->len && is_before(queue->heap[child + 1], queue->heap[child]))
			child++;
		if (!is_before(queue->heap[child], timer))
			break;
		place(queue, i, queue->heap[child]);
		i = child;
	}
	place(queue, i, timer);
}

static void push(struct timer_queue *queue, struct timer *timer)
{
	if (queue->len == queue->cap) {
		size_t cap = queue->cap ? queue->cap * 2 : 16;

		queue->heap = region_grow(queue->heap, queue->cap * sizeof(timer),
					  cap * sizeof(timer));
		queue->cap = cap;
	}
	queue->changes++;
	sift_up(queue, queue->len++, timer);
}

static void unlink_from_queue(struct timer_queue *queue, struct timer *timer)
{
	size_t i = timer->heap_index;
	struct timer *last = queue->heap[--queue->len];

	queue->changes++;
	if (last == timer)
		return;
	if (i > 0 && is_before(last, queue->heap[(i - 1) / 2]))
		sift_up(queue, i, last);
	else
		sift_down(queue, i, last);
}

static void unlink_from_owner(struct timer *timer)
{
	if (!timer->owner)
		return;
	if (timer->owner_prev)
		timer->owner_prev->owner_next = timer->owner_next;
	else
		timer->owner->timers = timer->owner_next;
	if (timer->owner_next)
		timer->owner_next->owner_prev = timer->owner_prev;
}

static struct timer *new_timer(struct process *p, enum timer_kind kind, uint64_t deadline_ns,
			       uint64_t number)
{
	struct timer *timer = region_zalloc(sizeof(*timer));

	timer->deadline_ns = deadline_ns;
	timer->owner_value = pid_value(p->pid);
	timer->number = number;
	timer->kind = (uint8_t)kind;
	timer->owner = p;
	timer->destination = p->pid;
	push(&p->vm->timers, timer);
	return timer;
}

static void forget_ref(struct timer_queue *queue, const struct timer *timer)
{
	term words[REF_WORDS] = {header_make(KIND_REF, REF_WORDS - 1), timer->owner_value,
				 timer->number, 0};

	ref_table_remove(&queue->by_ref, boxed_make(words));
}

void timer_free(struct vm *vm, struct timer *timer)
{
	unlink_from_queue(&vm->timers, timer);
	if (timer->kind == TIMER_RECEIVE && timer->owner)
		timer->owner->receive_timer = NULL;
	else
		unlink_from_owner(timer);
	if (timer->kind != TIMER_RECEIVE)
		forget_ref(&vm->timers, timer);
	if (timer->message)
		message_free(timer->message);
	region_free(timer, sizeof(*timer));
}

static bool is_time(term time)
{
	return time == A_infinity || (term_is_small(time) && small_value(time) >= 0 &&
				      (uint64_t)small_value(time) <= TIMER_MAX_MS);
}

bool timer_can_wait(term time)
{
	return is_time(time) && time != small_make(0);
}

enum timer_wait timer_start_receive(struct process *p, term time)
{
	if (!is_time(time))
		return TIMER_WAIT_BAD;
	if (time == A_infinity)
		return TIMER_WAIT_STARTED;
	if (small_value(time) == 0)
		return TIMER_WAIT_ZERO;
	p->receive_timer =
		new_timer(p, TIMER_RECEIVE,
			  p->vm->now_ns + (uint64_t)small_value(time) * 1000000, p->ref_count);
	return TIMER_WAIT_STARTED;
}

void timer_cancel_receive(struct process *p)
{
	if (p->receive_timer)
		timer_free(p->vm, p->receive_timer);
}

term timer_start(struct process *p, enum timer_kind kind, uint64_t deadline_ns, term destination,
		 term content)
{
	term ref = process_make_ref(p, 0);
	struct timer *timer = new_timer(p, kind, deadline_ns, ref_counter(ref));

	timer->destination = destination;
	if (kind == TIMER_START)
		content = heap_tuple3(p, A_timeout, ref, content);
	timer->message = message_new(content, p->pid);
	timer->owner_next = p->timers;
	if (p->timers)
		p->timers->owner_prev = timer;
	p->timers = timer;
	ref_table_add(&p->vm->timers.by_ref, ref, timer);
	return ref;
}

struct timer *timer_find(struct vm *vm, term ref)
{
	return ref_table_find(&vm->timers.by_ref, ref);
}

bool timer_is_void(struct vm *vm, const struct timer *timer)
{
	const struct process *to =
		term_is_pid(timer->destination) ? process_find(vm, timer->destination) : NULL;

	return term_is_pid(timer->destination) && (!to || to->status == PROCESS_EXITING);
}

void timer_delay(struct vm *vm, struct timer *timer, uint64_t deadline_ns)
{
	timer->deadline_ns = deadline_ns;
	sift_down(&vm->timers, timer->heap_index, timer);
}

uint64_t timer_left(struct vm *vm, const struct timer *timer)
{
	return timer->deadline_ns > vm->now_ns ? timer->deadline_ns - vm->now_ns : 0;
}

struct timer *timer_first(struct vm *vm)
{
	return vm->timers.len ? vm->timers.heap[0] : NULL;
}

void timer_fire(struct vm *vm, struct timer *timer)
{
	term to = timer->destination;
	struct process *receiver;

	if (timer->deadline_ns > vm->now_ns)
		vm->now_ns = timer->deadline_ns;
	if (term_is_atom(to))
		to = registry_find(vm, to);
	receiver = to == TERM_NONE ? NULL : process_find(vm, to);
	if (timer->kind == TIMER_RECEIVE) {
		receiver->timed_out = true;
		timer_free(vm, timer);
		vm_wake(receiver);
		return;
	}
	if (receiver)
		signal_message(receiver, timer->message->content, A_system);
	timer_free(vm, timer);
}

void timer_owner_exit(struct process *p)
{
	timer_cancel_receive(p);
	while (p->timers) {
		struct timer *timer = p->timers;

		p->timers = timer->owner_next;
		timer->owner = NULL;
		timer->owner_next = timer->owner_prev = NULL;
	}
}
