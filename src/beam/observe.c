#include "beam/observe.h"

#include "beam/objects.h"
#include "beam/standing.h"

void observation_reset(struct observation *o)
{
	o->nodes.len = 0;
	o->receives.len = 0;
	o->refusals.len = 0;
	o->states.len = 0;
	arena_reset(&o->frames);
}

void observation_release(struct observation *o)
{
	vec_release(&o->nodes);
	vec_release(&o->receives);
	vec_release(&o->refusals);
	vec_release(&o->states);
	arena_release(&o->frames);
	while (o->kept.len)
		observation_forget_kept(o);
	vec_release(&o->kept);
}

void observation_keep_frames(struct observation *o)
{
	*vec_push(&o->kept) = o->frames;
	o->frames = (struct arena){0};
}

void observation_forget_later(struct observation *o)
{
	arena_reset(&o->frames);
}

void observation_forget_kept(struct observation *o)
{
	if (o->kept.len)
		arena_release(&o->kept.items[--o->kept.len]);
}

static uint32_t add_node(struct observation *o, uint32_t event, uint64_t object)
{
	uint32_t node = (uint32_t)o->nodes.len;

	*vec_push(&o->nodes) =
		(struct observed_node){.parent = node, .event = event, .object = object};
	return node;
}

static uint32_t find_root(struct observation *o, uint32_t node)
{
	struct observed_node *nodes = o->nodes.items;

	while (nodes[node].parent != node) {
		nodes[node].parent = nodes[nodes[node].parent].parent;
		node = nodes[node].parent;
	}
	return node;
}

static void join(struct observation *o, uint32_t a, uint32_t b)
{
	uint32_t x = find_root(o, a), y = find_root(o, b);

	/* The oldest is the root: messages that are distinguished later change no earlier tag. */
	if (x < y)
		o->nodes.items[y].parent = x;
	else
		o->nodes.items[x].parent = y;
}

/* Joins the node with each receive of the chain that would have taken the content, or gives the node
 * the bit of that receive. */
static void compare_with_past(struct observation *o, uint32_t node, term content, uint32_t receives)
{
	while (receives) {
		const struct observed_receive *r = &o->receives.items[receives - 1];

		bool is_known = r->poll ? o->nodes.items[node].polls & r->poll
					: find_root(o, r->node) == find_root(o, node);

		if (!is_known && (content == TERM_NONE || probe_then(&r->frame, content))) {
			if (r->poll)
				o->nodes.items[node].polls |= r->poll;
			else
				join(o, node, r->node);
		}
		receives = r->next;
	}
}

/* Every pair of a receive and a message is asked for, so only the beginning of a long run is. */
static bool wants_refusals(const struct observation *o)
{
	enum { RECEIVES = 256, NODES = 1024 };

	return o->wants_refusals && o->receives.len <= RECEIVES && o->nodes.len <= NODES;
}

static void add_refusal(struct observation *o, uint32_t receive, uint32_t arrival)
{
	*vec_push(&o->refusals) = (struct refusal){receive, arrival};
}

/* Which receives of the chain would not have taken the message? Joining asks only until it knows
 * the group; here every pair counts. */
static void note_refusals(struct observation *o, uint32_t node, term content, uint32_t receives)
{
	for (; receives && wants_refusals(o); receives = o->receives.items[receives - 1].next) {
		const struct observed_receive *r = &o->receives.items[receives - 1];

		if (!r->frame.is_unknown && !probe_then(&r->frame, content))
			add_refusal(o, o->nodes.items[r->node].event, o->nodes.items[node].event);
	}
}

void observe_message(struct observation *o, struct message *message, uint64_t mailbox,
		     uint32_t receives)
{
	uint32_t node = add_node(o, message->origin - 1, mailbox);

	message->observed = node + 1;
	o->nodes.items[node].is_left = true;
	compare_with_past(o, node, message->content, receives);
	note_refusals(o, node, message->content, receives);
}

void observe_lost(struct observation *o, term content, uint32_t event, uint64_t mailbox,
		  uint32_t receives)
{
	uint32_t node = add_node(o, event, mailbox);

	o->nodes.items[node].is_left = true;
	compare_with_past(o, node, content, receives);
}

/* The bit of a receive that takes nothing: the next one. Two receives at one place may want different
 * messages (those of another reference), so they have different bits while there is room; then the
 * bit of an earlier receive at the place, or the last. */
static uint32_t find_bit(const struct observation *o, const word *place, uint32_t receives)
{
	const uint32_t last = 1u << (MAIL_POLL_BITS - 1);
	uint32_t most = 0, same = 0;

	for (; receives; receives = o->receives.items[receives - 1].next) {
		const struct observed_receive *r = &o->receives.items[receives - 1];

		if (r->poll > most)
			most = r->poll;
		if (r->poll && !same && r->frame.ip == place)
			same = r->poll;
	}
	return most < last ? most ? most << 1 : 1 : same ? same : last;
}

/* Returns its node. is_vain: it takes nothing. */
static uint32_t add_receive(struct observation *o, struct process *p, uint32_t event,
			    uint32_t *receives, bool is_vain)
{
	uint32_t node = add_node(o, event, object_mailbox(p->pid));
	struct observed_receive *receive = vec_push(&o->receives);

	receive->poll = is_vain ? find_bit(o, p->ip, *receives) : 0;
	o->nodes.items[node].polls = receive->poll;
	receive->next = *receives;
	receive->node = node;
	probe_keep(&receive->frame, p, &o->frames);
	*receives = (uint32_t)o->receives.len;
	return node;
}

void observe_stop(struct observation *o, struct process *p, uint32_t event, uint32_t *receives,
		  bool is_waiting)
{
	if (is_waiting)
		add_receive(o, p, event, receives, false);
	else
		add_node(o, event, object_mailbox(p->pid));
}

uint32_t observe_receive(struct observation *o, struct process *p, struct message *taken,
			 uint32_t event, uint32_t *receives)
{
	uint32_t node = add_receive(o, p, event, receives, !taken);
	struct message *m = taken ? taken->next : NULL;

	if (taken && taken->observed) {
		o->nodes.items[taken->observed - 1].is_left = false;
		join(o, taken->observed - 1, node);
	}
	for (; m; m = m->next)
		if (m->observed && find_root(o, m->observed - 1) != find_root(o, node) &&
		    probe_now(p, m->content) == STEP_MATCHED)
			join(o, m->observed - 1, node);
	if (taken && wants_refusals(o))
		*vec_push(&o->states) = (struct receive_state){event, standing_state(p)};
	for (m = taken && wants_refusals(o) ? p->mailbox.first : NULL; m; m = m->next)
		if (m != taken && m->observed && probe_now(p, m->content) != STEP_MATCHED)
			add_refusal(o, event, o->nodes.items[m->observed - 1].event);
	return node;
}

static void show_all(struct observation *o, const struct mailbox *mailbox, uint32_t node)
{
	for (struct message *m = mailbox->first; m; m = m->next) {
		if (!m->observed)
			continue;
		o->nodes.items[m->observed - 1].is_left = false;
		join(o, m->observed - 1, node);
	}
}

void observe_look(struct observation *o, struct process *p, uint32_t event)
{
	uint32_t node = add_node(o, event, object_mailbox(p->pid));

	show_all(o, &p->mailbox, node);
	show_all(o, &p->signals, node);
}

uint32_t observation_tag(struct observation *o, uint32_t node)
{
	return mail_tag_with_polls(mail_tag(find_root(o, node) + 1, o->nodes.items[node].is_left),
				   o->nodes.items[node].polls);
}

void observation_finish(struct observation *o, struct event *events, uint32_t events_len)
{
	for (uint32_t n = 0; n < o->nodes.len; n++) {
		const struct observed_node *node = &o->nodes.items[n];
		struct event *event = node->event < events_len ? &events[node->event] : NULL;

		for (uint32_t a = 0; event && a < event->access_len; a++)
			if (event->accesses[a].object == node->object &&
			    access_is_mail(&event->accesses[a]))
				access_set_mail_tag(&event->accesses[a], observation_tag(o, n));
	}
}
