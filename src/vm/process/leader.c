#include "vm/process/leader.h"

#include <stdio.h>

#include "base/vec.h"
#include "vm/code/code.h"
#include "vm/exec/exception.h"
#include "vm/exec/interp.h"
#include "vm/machine.h"
#include "vm/memory/heap.h"
#include "vm/process/mailbox.h"
#include "vm/process/pdict.h"
#include "vm/process/registry.h"
#include "vm/process/signal.h"
#include "vm/terms/atom.h"
#include "vm/terms/binary.h"
#include "vm/terms/text.h"
#include "vm/vm.h"

enum { SLOT_CATCH = 1, SLOT_FROM, SLOT_REPLY_AS, FRAME_WORDS };

void leader_set_output(void (*write)(void *ctx, int stream, const char *text, size_t len),
		       void *ctx)
{
	machine.output = (struct leader_output){write, ctx};
}

void leader_flush(void)
{
	fflush(stdout);
}

void leader_write(int stream, const char *text, size_t len)
{
	const struct leader_output *output = &machine.output;

	if (output->write) {
		output->write(output->ctx, stream, text, len);
		return;
	}
	if (stream == 2)
		fflush(stdout); /* keeps the two streams in order on a terminal */
	if (len)
		fwrite(text, 1, len, stream == 2 ? stderr : stdout);
}

static bool write_chars(struct process *p, term chars)
{
	struct bytes out = {0};
	bool ok = text_flatten_utf8(chars, &out);

	if (ok)
		leader_write(p->registered_name == A_standard_error ? 2 : 1, (char *)out.items,
			     out.len);
	bytes_release(&out);
	return ok;
}

static void reply(struct process *p, term from, term reply_as, term answer)
{
	struct process *to = process_find(p->vm, from);
	term *hp;

	if (!to)
		return;
	hp = heap_alloc(p, TUPLE_WORDS(3));
	signal_message(to, tuple_build3(&hp, A_io_reply, reply_as, answer), p->pid);
}

static term answer_options(struct process *p)
{
	term option = heap_tuple2(p, A_encoding, A_unicode);

	return heap_cons(p, heap_tuple2(p, A_binary, A_false), heap_cons(p, option, NIL));
}

/* The device standard_error has other options in newer releases, where the last of two wins. */
static bool is_new_device(void)
{
	return code_otp_release() >= 26;
}

/* Whether it is a setting that every node has at its start. The text is the same with any encoding:
 * it is always UTF-8. */
static bool is_plain_option(term option, term *encoding)
{
	term name, value;

	if (!term_is_tuple_of(option, 2))
		return false;
	name = tuple_element(option, 0);
	value = tuple_element(option, 1);
	if (name == A_encoding && (value == A_latin1 || value == A_unicode || value == A_utf8)) {
		if (*encoding == TERM_NONE || is_new_device())
			*encoding = value == A_latin1 ? (term)A_latin1 : (term)A_unicode;
		return true;
	}
	if (is_new_device() && ((name == A_onlcr && value == A_true) ||
				(name == A_log && value != A_none)))
		vm_unsupported(vm_get(), "not supported: io:setopts(standard_error, [{%s, _}])",
			       atom_text(name));
	return is_new_device() &&
	       ((name == A_onlcr && value == A_false) || (name == A_log && value == A_none));
}

static term set_device_options(struct process *p, term options)
{
	term encoding = TERM_NONE;

	while (term_is_cons(options) && is_plain_option(cons_head(options), &encoding))
		options = cons_tail(options);
	if (options != NIL)
		return heap_tuple2(p, A_error, A_enotsup);
	if (encoding != TERM_NONE)
		pdict_put(p, A_encoding, encoding);
	return A_ok;
}

static term get_device_options(struct process *p)
{
	term encoding = pdict_get(p, A_encoding), list = NIL;

	if (encoding == TERM_NONE)
		encoding = is_new_device() ? (term)A_unicode : (term)A_latin1;
	if (code_otp_release() >= 28)
		list = heap_cons(p, heap_tuple2(p, atom_from_string("terminal"), A_false), list);
	if (is_new_device()) {
		list = heap_cons(p, heap_tuple2(p, A_log, A_none), list);
		list = heap_cons(p, heap_tuple2(p, A_onlcr, A_false), list);
	}
	return heap_cons(p, heap_tuple2(p, A_encoding, encoding), list);
}

/* The requests that standard_error answers in another way; TERM_NONE for the others. */
static term answer_of_error_device(struct process *p, term request)
{
	size_t size = term_is_tuple(request) ? tuple_size(request) : 0;
	term name = size ? tuple_element(request, 0) : request;

	if (request == A_getopts)
		return get_device_options(p);
	if (name == A_setopts && size == 2)
		return set_device_options(p, tuple_element(request, 1));
	if (size && (name == A_put_chars || name == A_get_geometry))
		return TERM_NONE;
	return heap_tuple2(p, A_error, heap_tuple2(p, atom_from_string("request"), request));
}

/* The answer, or TERM_NONE when the request names a function, which is in x0..x2 then. */
static term answer_request(struct process *p, term request)
{
	term error = TERM_NONE;

	if (p->registered_name == A_standard_error) {
		term answer = answer_of_error_device(p, request);

		if (answer != TERM_NONE)
			return answer;
	}
	if (request == A_getopts)
		return answer_options(p);
	if (term_is_tuple(request) && tuple_size(request) > 0) {
		size_t size = tuple_size(request);
		const term *e = tuple_elements(request);

		if (e[0] == A_put_chars && (size == 3 || size == 2))
			return write_chars(p, e[size - 1])
				       ? (term)A_ok
				       : heap_tuple2(p, A_error, A_put_chars);
		if (e[0] == A_put_chars && (size == 5 || size == 4)) {
			memcpy(machine.running.x, e + size - 3, 3 * sizeof(term));
			return TERM_NONE;
		}
		if (e[0] == A_setopts)
			return A_ok;
		if (e[0] == A_get_geometry)
			return heap_tuple2(p, A_error, A_enotsup);
		if (e[0] == A_get_until || e[0] == A_get_line || e[0] == A_get_chars)
			return A_eof;
	}
	error = atom_from_string("request");
	return heap_tuple2(p, A_error, error);
}

bool leader_take(struct process *p)
{
	signals_take(p);
	while (p->mailbox.first) {
		struct message *message = p->mailbox.first;
		term content, answer;

		if (message->kind != MESSAGE_ON_HEAP)
			message_to_heap(p, message);
		content = message->content;
		mailbox_remove(p, message);
		p->mailbox.save = p->mailbox.first;
		if (!term_is_tuple_of(content, 4) || tuple_element(content, 0) != A_io_request)
			continue;
		answer = answer_request(p, tuple_element(content, 3));
		if (answer == TERM_NONE) {
			p->e[SLOT_CATCH] = catch_make(interp_leader + 3);
			p->e[SLOT_FROM] = tuple_element(content, 1);
			p->e[SLOT_REPLY_AS] = tuple_element(content, 2);
			return true;
		}
		reply(p, tuple_element(content, 1), tuple_element(content, 2), answer);
		if (p->fragments)
			heap_collect(p, 64, machine.running.x, 0);
	}
	return false;
}

void leader_reply(struct process *p, term chars)
{
	term answer = A_ok;

	p->e[SLOT_CATCH] = NIL;
	if (chars == TERM_NONE || !write_chars(p, chars))
		answer = heap_tuple2(p, A_error, atom_from_string("format"));
	reply(p, p->e[SLOT_FROM], p->e[SLOT_REPLY_AS], answer);
	p->e[SLOT_FROM] = p->e[SLOT_REPLY_AS] = NIL;
}

static struct process *start_leader(struct vm *vm, struct process *parent, term name)
{
	struct process *p = process_spawn(vm, parent, A_group, A_init, NIL);

	p->is_system = true;
	p->e -= FRAME_WORDS;
	p->e[0] = (term)interp_normal_exit;
	for (int i = 1; i < FRAME_WORDS; i++)
		p->e[i] = NIL;
	p->ip = interp_leader;
	p->saved_len = 0;
	p->status = PROCESS_WAITING;
	p->group_leader = p->pid;
	registry_add(vm, name, p->pid);
	p->registered_name = name;
	return p;
}

void leader_open(struct vm *vm)
{
	struct process *init = process_find(vm, vm->init_pid);

	vm->group_leader = start_leader(vm, init, A_user)->pid;
	init->group_leader = vm->group_leader;
	start_leader(vm, init, A_standard_error);
}
