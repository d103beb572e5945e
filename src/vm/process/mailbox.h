/* mailbox.h: messages of a process.
 *
 * A message is copied once by the sender into a block of its own (struct message), once more
 * onto the receiver's heap when it is first looked at. Messages on the heap are always a prefix of
 * the mailbox, because every receive looks from the front.
 */
#ifndef VM_PROCESS_MAILBOX_H
#define VM_PROCESS_MAILBOX_H

#include "vm/memory/heap.h"

struct message *message_new(term content, term sender);
/* One with room for so many words, whose content the caller builds there. */
struct message *message_new_room(size_t words);
void message_free(struct message *message);

/* Takes ownership of the message. */
void mailbox_append(struct mailbox *box, struct message *message);
/* Unlinks and frees. Does not touch the save pointer. */
void mailbox_remove(struct process *p, struct message *message);
void mailbox_clear(struct mailbox *box);

/* Moves the content onto p's heap. Never collects: looking at a message is no point where the
 * compiler expects it, and slots of the frame may be empty still. */
void message_to_heap(struct process *p, struct message *message);

#endif
