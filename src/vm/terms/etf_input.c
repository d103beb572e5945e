#include "vm/terms/etf_input.h"

#include <stdlib.h>

#include "vm/code/code.h"
#include "vm/terms/atom.h"
#include "vm/terms/etf_tags.h"
#include "vm/terms/text.h"
#include "vm/vm.h"

/* ---- atoms ---- */

static bool is_utf8(const uint8_t *bytes, size_t len, size_t *chars)
{
	uint32_t c;

	*chars = 0;
	while (len) {
		size_t n = utf8_decode(bytes, len, &c);

		if (!n)
			return false;
		bytes += n;
		len -= n;
		++*chars;
	}
	return true;
}

/* The atom at the input, whose tag was read; TERM_NONE with in->failed. */
term etf_take_atom(struct etf_input *in, unsigned tag)
{
	bool is_small = tag == ETF_SMALL_ATOM || tag == ETF_SMALL_ATOM_UTF8;
	size_t len = etf_take_number(in, is_small ? 1 : 2), at = etf_take(in, len), chars = len;
	const char *text = (const char *)in->bytes + at;
	struct bytes utf8 = {0};
	term atom;

	if (in->failed)
		return TERM_NONE;
	if (tag == ETF_ATOM || tag == ETF_SMALL_ATOM) {
		for (size_t i = 0; i < len; i++) {
			uint8_t encoded[4];

			bytes_add(&utf8, encoded, utf8_encode((uint8_t)text[i], encoded));
		}
		text = utf8.len ? (const char *)utf8.items : "";
		len = utf8.len;
	} else if (!is_utf8((const uint8_t *)text, len, &chars)) {
		in->failed = true;
	}
	if (chars > ATOM_MAX_CHARS)
		in->failed = true;
	atom = in->failed ? TERM_NONE
	       : in->safe ? atom_find_existing(text, len)
			  : atom_from_text(text, len);
	if (atom == TERM_NONE)
		in->failed = true;
	bytes_release(&utf8);
	return atom;
}

bool etf_is_atom_tag(unsigned tag)
{
	return tag == ETF_ATOM || tag == ETF_SMALL_ATOM || tag == ETF_ATOM_UTF8 ||
	       tag == ETF_SMALL_ATOM_UTF8;
}

term etf_expect_atom(struct etf_input *in)
{
	unsigned tag = (unsigned)etf_take_number(in, 1);

	if (in->failed || !etf_is_atom_tag(tag)) {
		in->failed = true;
		return TERM_NONE;
	}
	return etf_take_atom(in, tag);
}

int64_t etf_expect_int(struct etf_input *in)
{
	unsigned tag = (unsigned)etf_take_number(in, 1);

	if (tag == ETF_SMALL_INT)
		return (int64_t)etf_take_number(in, 1);
	if (tag == ETF_INT)
		return (int32_t)etf_take_number(in, 4);
	in->failed = true;
	return 0;
}

/* ---- names of things ---- */

/* The node of this machine is the only one. The program is not to blame for that. */
static void refuse_node(struct etf_input *in, term node)
{
	if (!in->failed && term_is_atom(node))
		vm_unsupported(vm_get(), "not supported: a pid, port or reference of the node %s",
			       atom_text(node));
	in->failed = true;
}

/* The number of the start of the node. A node without a name, as this one is, has 0. */
static void take_creation(struct etf_input *in, size_t bytes)
{
	if (etf_take_number(in, bytes) && !in->failed)
		vm_unsupported(vm_get(), "not supported: a pid or port of another start of the node");
}

term etf_take_pid(struct etf_input *in, bool is_new)
{
	term node = etf_expect_atom(in);
	uint64_t id = etf_take_number(in, 4), serial = etf_take_number(in, 4);

	take_creation(in, is_new ? 4 : 1);
	if (node != A_nohost)
		refuse_node(in, node);
	return pid_make((serial << 28 | id) & (((uint64_t)1 << 60) - 1));
}

term etf_take_port(struct etf_input *in, unsigned tag)
{
	term node = etf_expect_atom(in);
	uint64_t id = etf_take_number(in, tag == ETF_V4_PORT ? 8 : 4);

	take_creation(in, tag == ETF_PORT ? 1 : 4);
	if (node != A_nohost)
		refuse_node(in, node);
	return port_make(id & (((uint64_t)1 << 60) - 1));
}

static struct etf_ref take_oldest_ref(struct etf_input *in)
{
	struct etf_ref parts = {0};
	term node = etf_expect_atom(in);

	parts.counter = etf_take_number(in, 4);
	etf_take_number(in, 1);
	if (node != A_nohost)
		refuse_node(in, node);
	return parts;
}

struct etf_ref etf_take_ref(struct etf_input *in, unsigned tag)
{
	uint64_t len = tag == ETF_REF ? 0 : etf_take_number(in, 2), ids[4] = {0};
	struct etf_ref parts = {0};
	term node;

	if (tag == ETF_REF)
		return take_oldest_ref(in);
	node = etf_expect_atom(in);
	if (len > 5)
		in->failed = true;
	else if (node != A_nohost)
		refuse_node(in, node);
	/* The creation of a reference that this machine wrote has a flag. */
	parts.flags = etf_take_number(in, tag == ETF_NEW_REF ? 1 : 4) & (tag == ETF_NEWER_REF);
	for (uint64_t i = 0; i < len && !in->failed; i++) {
		uint64_t id = etf_take_number(in, 4);

		if (i < 4)
			ids[i] = id;
	}
	parts.counter = ids[1] << 32 | ids[0];
	parts.pid = ids[3] << 32 | ids[2];
	return parts;
}

struct etf_fun etf_take_fun(struct etf_input *in)
{
	struct etf_fun parts = {0};
	term module;
	int64_t old_index, old_uniq;
	uint64_t tag;

	etf_take_number(in, 4);
	etf_take_number(in, 1);
	etf_take(in, 16);
	etf_take_number(in, 4);
	parts.num_free = etf_take_number(in, 4);
	module = etf_expect_atom(in);
	old_index = etf_expect_int(in);
	old_uniq = etf_expect_int(in);
	tag = etf_take_number(in, 1);
	if (tag == ETF_NEW_PID || tag == ETF_PID)
		etf_take_pid(in, tag == ETF_NEW_PID);
	else
		in->failed = true;
	if (!in->failed)
		parts.entry = code_find_fun(vm_get(), module, (uint32_t)old_index,
					    (uint32_t)old_uniq);
	if (!in->failed && !parts.entry)
		vm_unsupported(vm_get(), "not supported: a fun of code that is not loaded, of the "
			       "module %s", atom_text(module));
	if (!parts.entry || parts.entry->num_free != parts.num_free)
		in->failed = true;
	return parts;
}

double etf_take_old_float(struct etf_input *in)
{
	char text[32] = {0};
	size_t at = etf_take(in, 31);

	if (in->failed)
		return 0;
	memcpy(text, in->bytes + at, 31);
	return strtod(text, NULL);
}

double etf_take_float(struct etf_input *in)
{
	uint64_t raw = etf_take_number(in, 8);
	double value;

	memcpy(&value, &raw, sizeof(value));
	if (!__builtin_isfinite(value))
		in->failed = true;
	return value;
}
