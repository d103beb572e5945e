/* lists.c: the nodes of std::list, whose links the C++ library changes in code without hooks.
 *
 * A change of a list writes to the neighbours of the node, too, which no argument of the call names. So the
 * library's few functions are done here, link by link, and each link is an access of the program:
 *     A: l.push_back(2)      writes `next` of the last node
 *     B: ++it                at that node: the two race
 */
#include "runtime/calls/nodes.h"

/* std::__detail::_List_node_base */
struct link {
	struct link *next, *prev;
};

#define HOOK _ZNSt8__detail15_List_node_base7_M_hookEPS0_
#define UNHOOK _ZNSt8__detail15_List_node_base9_M_unhookEv
#define TRANSFER _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_
#define REVERSE _ZNSt8__detail15_List_node_base10_M_reverseEv
#define SWAP _ZNSt8__detail15_List_node_base4swapERS0_S1_

void HOOK(struct link *self, struct link *before);
void UNHOOK(struct link *self);
void TRANSFER(struct link *self, struct link *first, struct link *last);
void REVERSE(struct link *self);
void SWAP(struct link *x, struct link *y);

static struct link *get(struct link *const *from, uint64_t site)
{
	rt_plain(from, sizeof(*from), false, site);
	return *from;
}

static void set(struct link **to, struct link *link, uint64_t site)
{
	rt_plain(to, sizeof(*to), true, site);
	*to = link;
}

/* Makes b the node behind a. */
static void join(struct link *a, struct link *b, uint64_t site)
{
	set(&a->next, b, site);
	set(&b->prev, a, site);
}

INTERCEPT_BY(void, HOOK, (struct link *self, struct link *before))
{
	if (!nodes_are_ours(RT_SITE)) {
		REAL_BY(HOOK)(self, before);
		return;
	}
	join(get(&before->prev, RT_SITE), self, RT_SITE);
	join(self, before, RT_SITE);
}

INTERCEPT_BY(void, UNHOOK, (struct link *self))
{
	if (nodes_are_ours(RT_SITE))
		join(get(&self->prev, RT_SITE), get(&self->next, RT_SITE), RT_SITE);
	else
		REAL_BY(UNHOOK)(self);
}

/* Moves the nodes from `first` to the one before `last` to the place before `self`. */
INTERCEPT_BY(void, TRANSFER, (struct link *self, struct link *first, struct link *last))
{
	struct link *end, *rest, *place;

	if (!nodes_are_ours(RT_SITE)) {
		REAL_BY(TRANSFER)(self, first, last);
		return;
	}
	if (self == last || first == last)
		return;
	end = get(&last->prev, RT_SITE);
	rest = get(&first->prev, RT_SITE);
	place = get(&self->prev, RT_SITE);
	join(rest, last, RT_SITE);
	join(place, first, RT_SITE);
	join(end, self, RT_SITE);
}

INTERCEPT_BY(void, REVERSE, (struct link *self))
{
	struct link *link = self;

	if (!nodes_are_ours(RT_SITE)) {
		REAL_BY(REVERSE)(self);
		return;
	}
	do {
		struct link *next = get(&link->next, RT_SITE);

		set(&link->next, get(&link->prev, RT_SITE), RT_SITE);
		set(&link->prev, next, RT_SITE);
		link = next;
	} while (link != self);
}

/* Makes `self` the head of the nodes that were between `first` and `last`; of none if they are `head`. */
static void adopt(struct link *self, struct link *first, struct link *last, const struct link *head,
		  uint64_t site)
{
	if (first == head) {
		join(self, self, site);
		return;
	}
	join(self, first, site);
	join(last, self, site);
}

INTERCEPT_BY(void, SWAP, (struct link * x, struct link *y))
{
	struct link old_x, old_y;

	if (!nodes_are_ours(RT_SITE)) {
		REAL_BY(SWAP)(x, y);
		return;
	}
	old_x = (struct link){get(&x->next, RT_SITE), get(&x->prev, RT_SITE)};
	old_y = (struct link){get(&y->next, RT_SITE), get(&y->prev, RT_SITE)};
	adopt(x, old_y.next, old_y.prev, y, RT_SITE);
	adopt(y, old_x.next, old_x.prev, x, RT_SITE);
}
