/* os: variables and time; and a few settings of the node that stdlib reads. */
#include "vm/bifs/bif.h"
#include "vm/bifs/environment.h"
#include "vm/terms/text.h"

/* A list of characters without NUL as NUL-terminated UTF-8. */
static bool read_string(term list, struct bytes *out)
{
	for (; term_is_cons(list); list = cons_tail(list)) {
		term c = cons_head(list);
		uint8_t encoded[4];

		if (!term_is_small(c) || !char_is_valid(small_value(c)) || c == small_make(0))
			return false;
		bytes_add(out, encoded, utf8_encode((uint32_t)small_value(c), encoded));
	}
	bytes_add_byte(out, 0);
	return list == NIL;
}

static bool read_name(term list, struct bytes *out)
{
	return read_string(list, out) && !strchr((const char *)out->items, '=');
}

/* Text of the host as characters; its bytes where it is not UTF-8. */
static term make_string(struct process *p, const char *text)
{
	size_t len = strlen(text), at = 0;
	uint32_t c;

	while (at < len) {
		size_t n = utf8_decode((const uint8_t *)text + at, len - at, &c);

		if (!n)
			return heap_byte_list(p, (const uint8_t *)text, len, NIL);
		at += n;
	}
	return heap_string(p, text);
}

term bif_os_getenv_1(struct process *p, const term *args)
{
	struct bytes name = {0};
	const char *value;
	term result;

	if (!read_name(args[0], &name)) {
		bytes_release(&name);
		return bif_badarg(p);
	}
	value = environment_get(p->vm, (const char *)name.items);
	result = value ? make_string(p, value) : (term)A_false;
	bytes_release(&name);
	return result;
}

struct collector {
	struct process *p;
	term list;
};

static void collect_variable(void *ctx, const char *name, const char *value)
{
	struct collector *c = ctx;
	term pair = heap_tuple2(c->p, make_string(c->p, name), make_string(c->p, value));

	c->list = heap_cons(c->p, pair, c->list);
}

term bif_os_env_0(struct process *p, const term *args)
{
	struct collector c = {p, NIL};

	environment_each(p->vm, collect_variable, &c);
	return c.list;
}

term bif_os_putenv_2(struct process *p, const term *args)
{
	struct bytes name = {0}, value = {0};
	bool ok = read_name(args[0], &name) && read_string(args[1], &value);

	if (ok)
		environment_set(p->vm, (const char *)name.items, (const char *)value.items);
	bytes_release(&name);
	bytes_release(&value);
	return ok ? (term)A_true : bif_badarg(p);
}

term bif_os_unsetenv_1(struct process *p, const term *args)
{
	struct bytes name = {0};
	bool ok = read_name(args[0], &name);

	if (ok)
		environment_set(p->vm, (const char *)name.items, NULL);
	bytes_release(&name);
	return ok ? (term)A_true : bif_badarg(p);
}

/* The same in every run. */
term bif_os_getpid_0(struct process *p, const term *args)
{
	return heap_string(p, "1");
}

term bif_os_timestamp_0(struct process *p, const term *args)
{
	return bif_erlang_timestamp_0(p, args);
}

term bif_os_system_time_0(struct process *p, const term *args)
{
	return bif_erlang_system_time_0(p, args);
}

term bif_os_system_time_1(struct process *p, const term *args)
{
	return bif_erlang_system_time_1(p, args);
}

term bif_os_perf_counter_0(struct process *p, const term *args)
{
	return bif_erlang_monotonic_time_0(p, args);
}

/* Signals of the operating system never reach the program. */
term bif_os_set_signal_2(struct process *p, const term *args)
{
	static const char *const names[] = {
		"sighup", "sigquit", "sigabrt", "sigalrm", "sigterm", "sigusr1", "sigusr2",
		"sigchld", "sigstop", "sigtstp",
	};

	if (!term_is_atom(args[0]) ||
	    (args[1] != A_default && args[1] != A_handle && args[1] != A_ignore))
		return bif_badarg(p);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], atom_text(args[0])) == 0)
			return A_ok;
	return bif_badarg(p);
}

term bif_io_printable_range_0(struct process *p, const term *args)
{
	return A_latin1;
}

term bif_file_native_name_encoding_0(struct process *p, const term *args)
{
	return A_utf8;
}

term bif_error_logger_warning_map_0(struct process *p, const term *args)
{
	return A_warning;
}

term bif_logger_add_handler_3(struct process *p, const term *args)
{
	return bif_trap(p, atom_from_string("fermata_logger"), atom_from_string("add_handler"), 3,
			args);
}

/* A test does not have a terminal. */
term bif_prim_tty_isatty_1(struct process *p, const term *args)
{
	return term_is_atom(args[0]) ? (term)A_false : bif_badarg(p);
}
