#include "runtime/atomic.h"

#include "runtime/await.h"
#include "runtime/failure.h"
#include "runtime/history.h"
#include "runtime/memory.h"
#include "runtime/record.h"
#include "runtime/waiter_pool.h"

static const uint32_t SOMEBODY_WAITS = 1; /* waiter_pool.h */

static uint8_t order_of(int order)
{
	static const uint8_t orders[] = {
		MEMORY_ORDER_RELAXED, MEMORY_ORDER_ACQUIRE /* consume */, MEMORY_ORDER_ACQUIRE,
		MEMORY_ORDER_RELEASE, MEMORY_ORDER_ACQ_REL, MEMORY_ORDER_SEQ_CST,
	};
	uint32_t low = (uint32_t)order & 0x7fff; /* clang adds hints above */

	return low < sizeof(orders) ? orders[low] : MEMORY_ORDER_SEQ_CST;
}

/* The order to try out at this place, or the one that is written there. */
static uint8_t order_at(uint64_t site, uint8_t written)
{
	const struct channel *channel = RT->channel;
	uint64_t name = channel->orders_len ? rt_name((void *)site) : 0;

	for (uint32_t i = 0; i < channel->orders_len; i++)
		if (channel->orders[i].site == name)
			return (uint8_t)channel->orders[i].order;
	return written;
}

static void set_order(struct event *event, uint8_t order)
{
	event->memory_order = order;
	if (event->memory_order == MEMORY_ORDER_SEQ_CST)
		return;
	if (!memory_is_weak(RT->channel->options.memory))
		RT->channel->assumed |= ASSUMED_SC;
	rt_history_need(); /* with seq_cst alone all runs are sequentially consistent */
}

/* The step was chosen. Under a weak memory model finds the write that it reads. */
static void look_back(struct rt_atomic *op, const volatile void *address, size_t size)
{
	/* A load that is only tried reads the memory (await.h). */
	if (op->did && rt_history_on() && !RT->trying)
		op->seen = rt_history_choose(op->did, address, size);
	if (op->did && op->did->kind != EVENT_LOAD)
		rt_record_write(address, size);
}

/* No step; but it may be part of a loop. */
static void pass_private(const void *at, size_t size, bool is_write, uint64_t site)
{
	if (is_write && (const char *)at >= rt_stack_base(rt_self()))
		rt_turn_wrote(); /* a thread-local variable */
	if (--RT->memory.hooks_left < 0)
		rt_look_for_loop(rt_self(), at, size, is_write, site);
}

/* Is it the count of waiting threads that notify asks for under a weak memory model? */
static bool is_left_out(const volatile void *address)
{
	return memory_is_weak(RT->channel->options.memory) && rt_is_waiter_count(address);
}

static bool describe(struct event *event, enum event_kind kind, const volatile void *address,
		     size_t size, int order, uint64_t site)
{
	const void *at = (const void *)address;

	if (!rt_running_quietly() || is_left_out(address))
		return false;
	if (rt_mem_is_private(at)) {
		pass_private(at, size, kind != EVENT_LOAD, site);
		return false;
	}
	if (size > RT_ACCESS_MAX)
		size = RT_ACCESS_MAX;
	*event = rt_event(kind, site);
	event->is_weak = rt_history_on();
	set_order(event, order_at(site, order_of(order)));
	rt_mem_check(at, size, kind != EVENT_LOAD, site);
	rt_mem_access(event, at, size, kind == EVENT_LOAD ? ACCESS_READ : ACCESS_WRITE);
	return true;
}

void rt_atomic_begin(struct rt_atomic *op, enum event_kind kind, const volatile void *address,
		     size_t size, int order, uint64_t site)
{
	struct event event;
	bool waits;

	op->did = NULL;
	op->seen = NULL;
	op->fails = false;
	if (!describe(&event, kind, address, size, order, site)) {
		if (kind == EVENT_LOAD && rt_running_quietly() && is_left_out(address)) {
			RT->channel->assumed |= ASSUMED_NOTIFY;
			op->seen = &SOMEBODY_WAITS;
		}
		return;
	}
	waits = kind == EVENT_LOAD && rt_await_is(site);
	op->did = waits ? rt_await_step(&event, address, size) : rt_step(&event, NULL, NULL);
	look_back(op, address, size);
	if (waits && op->seen)
		rt_await_match(op->did);
}

void rt_atomic_end(struct rt_atomic *op, uint64_t observed, bool changed)
{
	if (!op->did)
		return;
	op->did->value = observed;
	op->did->unchanged = !changed;
}

void rt_atomic_end_done(struct rt_atomic *op, uint64_t observed, bool changed, int failed_order)
{
	rt_atomic_end(op, observed, changed);
	if (op->did)
		op->did->other_order = order_of(failed_order) & 7;
}

void rt_atomic_end_failed(struct rt_atomic *op, uint64_t observed, int order)
{
	struct event *did = op->did;

	if (!did)
		return;
	did->value = observed;
	did->flags |= EVENT_FAILED;
	did->other_order = did->memory_order & 7;
	set_order(did, order_of(order));
	for (uint32_t i = 0; i < did->access_len; i++)
		if (did->accesses[i].mode == ACCESS_WRITE)
			did->accesses[i].mode = ACCESS_READ;
}

void rt_atomic_fence(int order, uint64_t site)
{
	struct event event;

	if (!rt_running_quietly())
		return;
	event = rt_event(EVENT_FENCE, site);
	set_order(&event, order_at(site, order_of(order)));
	rt_step(&event, NULL, NULL);
}

/* ---- compare_exchange_weak may fail for no reason ---- */

static struct rt_actor *offer_failure(struct event *event)
{
	if (RT->channel->options.spurious)
		rt_history_retreat("a compare-and-swap that may fail without a reason");
	if (!RT->channel->options.spurious || rt_history_in_graphs()) {
		RT->channel->assumed |= ASSUMED_NO_SPURIOUS;
		return NULL;
	}
	if (event->access_len == event_room(event))
		RT->channel->assumed |= ASSUMED_STRONG_CAS;
	return rt_failure_offer(event);
}

void rt_atomic_begin_weak(struct rt_atomic *op, const volatile void *address, size_t size,
			  int order, uint64_t site)
{
	struct rt_actor *virtual;
	struct event event;

	op->did = NULL;
	op->seen = NULL;
	op->fails = false;
	if (!describe(&event, EVENT_CAS, address, size, order, site))
		return;
	virtual = offer_failure(&event);
	op->did = rt_step(&event, NULL, NULL);
	op->fails = rt_failure_came(virtual);
	look_back(op, address, size);
}

/* ---- 16 bytes ---- */

rt_u128 rt_cas_16(volatile rt_u128 *address, rt_u128 expected, rt_u128 desired)
{
	uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);
	uint64_t desired_low = (uint64_t)desired;

	/* rbx is not ours to allocate (turn.c): lent for one instruction. */
	__asm__ volatile("xchgq %%rbx, %3\n\t"
			 "lock cmpxchg16b %2\n\t"
			 "xchgq %%rbx, %3"
			 : "+a"(low), "+d"(high), "+m"(*address), "+r"(desired_low)
			 : "c"((uint64_t)(desired >> 64))
			 : "cc", "memory");
	return (rt_u128)high << 64 | low;
}
