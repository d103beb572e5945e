/* Links.
 *
 * With instant delivery a link is a pair of relations, made and removed in one step.
 *
 * With asynchronous delivery each process has an end of its own, which no other process changes:
 * link/1 and unlink/1 change the end of the caller and send a signal, and the other end changes
 * when the signal arrives. This is the protocol of the real VM. A process that has removed its end
 * ignores requests to link until the other process has got the removal, because the other end is
 * about to be removed. The real VM knows by an acknowledgement; here a request carries the number
 * of removals that its sender has got:
 *
 *     P: link(Q), unlink(Q)     Q: link(P), before the removal has come. P ignores the request (0
 *                               of 1 removals had come), and the removal takes the end of Q.
 */
#include "vm/process/mailbox.h"
#include "vm/process/signal_parts.h"
#include "vm/terms/atom.h"
#include "vm/vm.h"

void signal_answer_noproc(struct process *p, term from, struct message *message)
{
	message->sender = from == TERM_NONE ? p->pid : from;
	signal_put_in_transit(p->vm, p->pid, message);
}

void signal_request_tie(struct process *p, term pid, struct message *message, uint64_t signal)
{
	message->send_event = signal;
	message->sender = p->pid;
	signal_put_in_transit(p->vm, pid, message);
}

/* ---- ends that belong to their processes ---- */

/* The end that p has of its link to pid, with what is known of links to pid that were removed. */
static struct relation *make_end(struct process *p, term pid)
{
	struct relation *end = relation_find_end(p, pid);

	if (!end) {
		end = relation_add(p, RELATION_LINK, pid);
		end->is_let_go = true;
	}
	/* A link from before the exploration is a pair. */
	if (end->peer)
		end->peer->peer = NULL;
	end->peer = NULL;
	return end;
}

static void activate(struct relation *end)
{
	end->is_let_go = end->is_unlinking = false;
}

static void link_by_channel(struct process *p, term pid)
{
	struct relation *end = relation_find_end(p, pid);
	struct message *request;

	if (end && relation_is_link(end))
		return;
	end = make_end(p, pid);
	activate(end);
	request = signal_make_exit(pid, A_noproc);
	request->alias_counter = end->unlinks_come;
	signal_request_tie(p, pid, request, SIGNAL_LINK);
}

static void unlink_by_channel(struct process *p, term pid)
{
	struct relation *end = relation_find_end(p, pid);

	if (!end || !relation_is_link(end))
		return;
	end = make_end(p, pid);
	end->is_let_go = end->is_unlinking = true;
	end->has_priority = false;
	end->unlinks_sent++;
	signal_request_tie(p, pid, message_new(NIL, p->pid), SIGNAL_UNLINK);
}

void signal_accept_link(struct process *to, const struct message *request)
{
	struct relation *end = make_end(to, request->sender);

	if (!end->is_over &&
	    !(end->is_unlinking && request->alias_counter < end->unlinks_sent))
		activate(end);
}

void signal_accept_unlink(struct process *to, const struct message *request)
{
	struct relation *end = make_end(to, request->sender);

	end->is_let_go = true;
	end->unlinks_come++;
}

/* ---- links ---- */

/* p links to a process that an exit signal has ended, but that has not begun to die. */
static void link_to_doomed(struct process *p, const struct process *other)
{
	struct message *message = signal_make_exit(other->pid, A_noproc);

	message->send_event = SIGNAL_EXIT_LINK;
	if (!p->vm->is_explored || p->is_system || other->is_system) {
		signal_enqueue(p, message);
		return;
	}
	relation_add(p, RELATION_LINK, other->pid); /* until noproc comes */
	signal_answer_noproc(p, other->pid, message);
}

void signal_link_child(struct process *p, struct process *child)
{
	relation_connect(relation_add(p, RELATION_LINK, child->pid),
		relation_add(child, RELATION_LINK, p->pid));
}

bool signal_link(struct process *p, term pid)
{
	struct process *other = process_find(p->vm, pid);

	if (pid == p->pid)
		return true;
	/* Also if they are linked, and the exit signal is on its way. */
	if (!other || other->status == PROCESS_EXITING)
		return false;
	if (signal_goes_by_channel(p->vm, p->pid, pid))
		link_by_channel(p, pid);
	else if (!relation_find_link(p, pid) && !signal_is_doomed(other))
		signal_link_child(p, other);
	else if (!relation_find_link(p, pid))
		link_to_doomed(p, other);
	return true;
}

void signal_prioritise_link(struct process *p, term pid, bool has_priority)
{
	struct relation *link = relation_find_link(p, pid);

	if (!link && signal_goes_by_channel(p->vm, p->pid, pid))
		link = relation_find_end(p, pid);
	if (link)
		link->has_priority = has_priority;
}

void signal_refuse_link(struct process *p, term pid)
{
	struct message *message = signal_make_exit(pid, A_noproc);

	message->send_event = SIGNAL_EXIT_LINK;
	signal_enqueue(p, message);
}

void signal_unlink(struct process *p, term pid)
{
	struct relation *link = relation_find_link(p, pid);

	if (signal_goes_by_channel(p->vm, p->pid, pid)) {
		unlink_by_channel(p, pid);
		return;
	}
	if (!link && p->vm->is_explored)
		link = relation_find_half_link(p, pid); /* its exit signal may be in transit */
	if (link && link->peer && link->peer->owner->status == PROCESS_EXITING)
		relation_let_go(link, true);
	if (link)
		relation_free_pair(link);
}
