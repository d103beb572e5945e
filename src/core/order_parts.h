/* order_parts.h: shared by order.c (clocks and chains), order_race.c (races) and order_rival.c. */
#ifndef CORE_ORDER_PARTS_H
#define CORE_ORDER_PARTS_H

#include "core/order.h"
#include "core/vclock.h"

static inline uint32_t *order_clock(const struct order *order, uint32_t i)
{
	return order->clocks.items + (size_t)i * order->width;
}

static inline void order_join(const struct order *order, uint32_t *into, const uint32_t *from)
{
	vclock_join(into, from, order->width);
}

static inline bool order_clock_has(const uint32_t *clock, const struct event *event)
{
	return clock[event->actor] > event->ordinal;
}

/* Since the last event of its actor a timer has fired: its own, or one that fires only when no
 * other actor can go. Could the event have come before the timer's step? */
bool order_can_do_without_aid(const struct order *order, const struct event *event);

/* Completes the clock of event i, which has the clock of its program order, with the clocks of
 * order->candidates (latest first), and adds its races to order->races. */
void order_find_races(struct order *order, uint32_t i, bool want_races);

/* Event i has met the signal that event `first` sent. Adds its race with the event that kept it from what
 * it waited for (order_rival.c). */
void order_find_race_with_rival(struct order *order, uint32_t i, uint32_t first);

/* Event i is a timer of last resort. Adds its race with the timer that fired before it when both could:
 * they end at the same moment. */
void order_find_tie(struct order *order, uint32_t i, uint32_t before);

#endif
