#include "vm/terms/etf_input.h"

#include <stdlib.h>

#include "vm/code/code.h"
#include "vm/process/process.h"
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

bool etf_is_remote_tag(unsigned tag)
{
	return tag == ETF_PID || tag == ETF_NEW_PID || tag == ETF_PORT || tag == ETF_NEW_PORT ||
	       tag == ETF_V4_PORT || tag == ETF_REF || tag == ETF_NEW_REF || tag == ETF_NEWER_REF;
}

/* Older formats have one byte for the number of the start of the node. */
static uint32_t take_creation(struct etf_input *in, unsigned tag)
{
	bool is_old = tag == ETF_PID || tag == ETF_PORT || tag == ETF_REF || tag == ETF_NEW_REF;

	uint32_t creation = (uint32_t)etf_take_number(in, is_old ? 1 : 4);

	if (is_old && creation > 3)
		in->failed = true;
	return creation;
}

static struct remote take_ref(struct etf_input *in, unsigned tag)
{
	struct remote parts = {.kind = KIND_REMOTE_REF, .numbers_len = 1};

	if (tag != ETF_REF)
		parts.numbers_len = etf_take_number(in, 2);
	parts.node = etf_expect_atom(in);
	if (parts.numbers_len > REMOTE_REF_NUMBERS)
		in->failed = true;
	if (tag != ETF_REF)
		parts.creation = take_creation(in, tag);
	for (size_t i = 0; i < parts.numbers_len && !in->failed; i++)
		parts.numbers[i] = (uint32_t)etf_take_number(in, 4);
	if (tag == ETF_REF)
		parts.creation = take_creation(in, tag);
	if (tag != ETF_NEWER_REF && parts.numbers[0] >> 18)
		in->failed = true;
	return parts;
}

struct remote etf_take_remote(struct etf_input *in, unsigned tag)
{
	struct remote parts = {.kind = KIND_REMOTE_PORT};

	if (tag == ETF_REF || tag == ETF_NEW_REF || tag == ETF_NEWER_REF)
		return take_ref(in, tag);
	parts.node = etf_expect_atom(in);
	parts.value = etf_take_number(in, tag == ETF_V4_PORT ? 8 : 4);
	if (tag == ETF_PID || tag == ETF_NEW_PID) {
		parts.kind = KIND_REMOTE_PID;
		parts.value |= etf_take_number(in, 4) << 32;
	}
	parts.creation = take_creation(in, tag);
	return parts;
}

static bool is_local(const struct remote *parts)
{
	bool has_flags = parts->kind == KIND_REMOTE_REF &&
			 (parts->creation & ~ETF_REF_FLAGS) == ETF_CREATION_OF_FLAGS;

	return parts->node == A_nohost && (parts->creation == 0 || has_flags);
}

size_t etf_remote_words(const struct remote *parts)
{
	if (!is_local(parts))
		return remote_words(parts->kind);
	return parts->kind == KIND_REMOTE_REF ? REF_WORDS : 0;
}

term etf_build_remote(const struct remote *parts, term **hp)
{
	const uint64_t mask = ((uint64_t)1 << 60) - 1;
	term *box = *hp;

	if (!is_local(parts))
		return remote_build(hp, parts);
	if (parts->kind == KIND_REMOTE_PID)
		return pid_make((parts->value >> 32 << 28 | (parts->value & UINT32_MAX)) & mask);
	if (parts->kind == KIND_REMOTE_PORT)
		return port_make(parts->value & mask);
	*hp += REF_WORDS;
	box[0] = header_make(KIND_REF, REF_WORDS - 1);
	box[1] = (uint64_t)parts->numbers[3] << 32 | parts->numbers[2];
	box[2] = (uint64_t)parts->numbers[1] << 32 | parts->numbers[0];
	box[3] = parts->creation & REF_ALIAS;
	return boxed_make(box);
}

static struct fun_entry *find_fun(const struct fun_entry *wanted)
{
	struct vm *vm = vm_get();
	struct fun_entry *entry = code_find_fun(vm, wanted);

	if (entry || vm->end == VM_UNSUPPORTED)
		return entry;
	if (!vm->is_explored)
		return code_unloaded_fun(vm, wanted);
	vm_unsupported(vm, "not supported: a fun of code that is not loaded, of the module %s",
		       atom_text(wanted->module));
	return NULL;
}

struct etf_fun etf_take_fun(struct etf_input *in)
{
	struct fun_entry wanted = {.function = A_undefined};
	struct etf_fun parts = {0};
	size_t uniq;
	uint64_t tag;

	etf_take_number(in, 4);
	wanted.arity = (uint32_t)etf_take_number(in, 1);
	uniq = etf_take(in, sizeof(wanted.uniq));
	wanted.index = (uint32_t)etf_take_number(in, 4);
	parts.num_free = etf_take_number(in, 4);
	wanted.num_free = (uint32_t)parts.num_free;
	wanted.module = etf_expect_atom(in);
	wanted.old_index = (uint32_t)etf_expect_int(in);
	wanted.old_uniq = (uint32_t)etf_expect_int(in);
	tag = etf_take_number(in, 1);
	if (tag == ETF_NEW_PID || tag == ETF_PID)
		etf_take_remote(in, (unsigned)tag);
	else
		in->failed = true;
	if (in->failed || wanted.arity + parts.num_free > 255) {
		in->failed = true;
		return parts;
	}
	memcpy(wanted.uniq, in->bytes + uniq, sizeof(wanted.uniq));
	parts.entry = find_fun(&wanted);
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
