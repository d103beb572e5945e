/* mailbox.h: messages of a process.
 *
 * A message is copied twice: the sender copies it into a block of its own (struct message), and the
 * receiver copies it onto its heap when a receive first looks at it. A receive starts at the front, or
 * at the place of a marker. So the messages on the heap are a prefix of the mailbox, with messages of
 * priority between them, and some of those from p->marked_first on.
 */
#ifndef VM_PROCESS_MAILBOX_H
#define VM_PROCESS_MAILBOX_H

#include "vm/memory/heap.h"

struct message *message_new(term content, term sender);
/* The same for what a process sends: persistent terms in it are not copied. */
struct message *message_new_sent(term content, term sender);
/* A message with room for so many words, in which the caller builds the content. */
struct message *message_new_room(size_t words);
void message_free(struct message *message);

/* Takes ownership of the message. */
void mailbox_append(struct mailbox *box, struct message *message);
/* Puts the message into the mailbox of p, at the place that its priority gives it. Takes it. */
void mailbox_deliver(struct process *p, struct message *message);
/* Remembers the end of the mailbox; ties a reference to that place; has the next receive start behind
 * the place of this reference, if it is still known. */
uint64_t mailbox_mark(struct process *p);
void mailbox_bind_mark(struct process *p, uint64_t serial, term ref);
void mailbox_use_mark(struct process *p, term ref);
void mailbox_clear_mark(struct process *p, term ref);
/* Unlinks and frees. Does not touch the save pointer. */
void mailbox_remove(struct process *p, struct message *message);
void mailbox_clear(struct mailbox *box);

/* p takes in the messages that have arrived. The real VM looks then whether the alias of a message is
 * active, so an alias that ends later does not take the message with it. A message of another
 * process is taken in when it is delivered, because p may be interrupted at any time, and takes in
 * messages then. A message that p sends to itself is taken in only when p receives, asks or yields.
 */
void mailbox_take_in(struct process *p);

/* Moves the content onto p's heap. It never collects: the compiler does not expect a collection
 * where a receive looks at a message, and slots of the frame may still be empty there. */
void message_to_heap(struct process *p, struct message *message);

#endif
