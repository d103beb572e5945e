#include "vm/process/mailbox.h"

#include "vm/memory/region.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

static size_t message_bytes(size_t words)
{
	return sizeof(struct message) + words * sizeof(term);
}

struct message *message_new_room(size_t words)
{
	struct message *message = region_alloc(message_bytes(words));

	*message = (struct message){.sender = A_system, .kind = MESSAGE_FRAGMENT};
	message->words_len = (uint32_t)words;
	message->origin = vm_get()->step;
	return message;
}

struct message *message_new(term content, term sender)
{
	struct message *message = message_new_room(term_copy_words(content));
	term *hp = message->words;

	message->sender = sender;
	message->content = term_copy(content, &hp, &message->off_heap);
	return message;
}

struct message *message_new_sent(term content, term sender)
{
	struct message *message = message_new_room(term_send_words(content));
	term *hp = message->words;

	message->sender = sender;
	message->content =
		message->words_len ? term_send(content, &hp, &message->off_heap) : content;
	return message;
}

void message_free(struct message *message)
{
	off_heap_release(&message->off_heap);
	region_free(message, message_bytes(message->words_len));
}

void mailbox_append(struct mailbox *box, struct message *message)
{
	message->next = NULL;
	message->prev = box->last;
	if (box->last)
		box->last->next = message;
	else
		box->first = message;
	box->last = message;
	if (!box->save)
		box->save = message;
	box->len++;
}

/* A message with priority goes behind the others that have it, and the next receive looks at it. */
void mailbox_deliver(struct process *p, struct message *message)
{
	struct mailbox *box = &p->mailbox;
	struct message *next = message->is_priority ? box->first : NULL;

	while (next && next->is_priority)
		next = next->next;
	if (!next) {
		mailbox_append(box, message);
		return;
	}
	if (p->vm->is_explored && !p->is_system)
		vm_unsupported(p->vm, "not supported: exploring a message with priority that "
			       "goes before others");
	message->next = next;
	message->prev = next->prev;
	if (next->prev)
		next->prev->next = message;
	else
		box->first = message;
	next->prev = message;
	box->save = box->first;
	box->len++;
}

/* The markers at a message that leaves the mailbox move to the message before it. */
static void move_markers(struct process *p, const struct message *from)
{
	for (size_t i = 0; i < RECEIVE_MARKERS; i++) {
		if (p->markers[i].last != from)
			continue;
		p->markers[i].last = from->prev;
		if (from->prev)
			from->prev->is_marked = true;
	}
}

uint64_t mailbox_mark(struct process *p)
{
	struct receive_marker *marker = p->markers;

	for (size_t i = 1; i < RECEIVE_MARKERS; i++) /* a free one has the serial 0 */
		if (p->markers[i].serial < marker->serial)
			marker = &p->markers[i];
	*marker = (struct receive_marker){.serial = ++p->marker_count, .last = p->mailbox.last};
	if (marker->last)
		marker->last->is_marked = true;
	return marker->serial;
}

void mailbox_bind_mark(struct process *p, uint64_t serial, term ref)
{
	for (size_t i = 0; i < RECEIVE_MARKERS; i++) {
		if (p->markers[i].serial != serial)
			continue;
		p->markers[i].ref_pid = ref_pid_value(ref);
		p->markers[i].ref_counter = ref_counter(ref);
	}
}

/* The collector must find the messages that the receive moves to the heap. */
static void start_at(struct process *p, const struct receive_marker *marker)
{
	p->mailbox.save = marker->last->next;
	if (!p->marked_first || marker->serial < p->marked_serial) {
		p->marked_first = marker->last;
		p->marked_serial = marker->serial;
	}
}

static struct receive_marker *find_marker(struct process *p, term ref)
{
	for (size_t i = 0; i < RECEIVE_MARKERS; i++) {
		struct receive_marker *marker = &p->markers[i];

		if (marker->serial && marker->ref_pid == ref_pid_value(ref) &&
		    marker->ref_counter == ref_counter(ref))
			return marker;
	}
	return NULL;
}

void mailbox_use_mark(struct process *p, term ref)
{
	const struct receive_marker *marker = find_marker(p, ref);

	if (marker && marker->last && !p->mailbox.first->is_priority)
		start_at(p, marker);
}

void mailbox_clear_mark(struct process *p, term ref)
{
	struct receive_marker *marker = find_marker(p, ref);

	if (marker)
		*marker = (struct receive_marker){0};
}

void mailbox_remove(struct process *p, struct message *message)
{
	struct mailbox *box = &p->mailbox;

	if (message->is_marked)
		move_markers(p, message);
	if (message == p->marked_first)
		p->marked_first = message->next;
	if (message->prev)
		message->prev->next = message->next;
	else
		box->first = message->next;
	if (message->next)
		message->next->prev = message->prev;
	else
		box->last = message->prev;
	box->len--;
	message_free(message);
}

void mailbox_clear(struct mailbox *box)
{
	while (box->first) {
		struct message *message = box->first;

		box->first = message->next;
		message_free(message);
	}
	*box = (struct mailbox){0};
}

void mailbox_take_in(struct process *p)
{
	if (!p->has_own_outside)
		return;
	for (struct message *m = p->mailbox.first; m; m = m->next)
		m->is_taken_in = true;
	p->has_own_outside = false;
}

void message_to_heap(struct process *p, struct message *message)
{
	term *hp = heap_alloc(p, message->words_len);

	mailbox_take_in(p);
	message->content = term_send(message->content, &hp, &p->off_heap);
	message->kind = MESSAGE_ON_HEAP;
	off_heap_release(&message->off_heap);
}
