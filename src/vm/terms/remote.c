#include "vm/terms/remote.h"

#include "base/hash.h"
#include "vm/process/process.h"
#include "vm/terms/atom.h"

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

size_t remote_words(enum term_kind kind)
{
	return kind == KIND_REMOTE_REF ? 7 : 4;
}

term remote_build(term **hp, const struct remote *parts)
{
	term *box = *hp;

	*hp += remote_words(parts->kind);
	box[0] = header_make(parts->kind, remote_words(parts->kind) - 1);
	box[1] = parts->node;
	box[2] = parts->creation;
	if (parts->kind != KIND_REMOTE_REF) {
		box[3] = parts->value;
		return boxed_make(box);
	}
	box[3] = parts->numbers_len;
	box[6] = 0;
	memcpy(box + 4, parts->numbers, sizeof(parts->numbers));
	return boxed_make(box);
}

struct remote remote_read(term t)
{
	const term *box = boxed_ptr(t);
	struct remote parts = {.kind = header_kind(box[0]), .node = box[1],
			       .creation = (uint32_t)box[2]};

	if (parts.kind != KIND_REMOTE_REF) {
		parts.value = box[3];
		return parts;
	}
	parts.numbers_len = box[3];
	memcpy(parts.numbers, box + 4, sizeof(parts.numbers));
	return parts;
}

/* ---- order ---- */

/* A term of this machine, as another machine would see it. */
static struct remote read_local(term t)
{
	struct remote parts = {.kind = KIND_REMOTE_PORT, .node = A_nohost, .value = pid_value(t)};

	if (term_is_pid(t)) {
		parts.kind = KIND_REMOTE_PID;
		parts.value = (pid_value(t) & 0xfffffff) | pid_value(t) >> 28 << 32;
	} else if (term_is_ref(t)) {
		uint64_t numbers[] = {ref_counter(t), ref_pid_value(t)};

		parts.kind = KIND_REMOTE_REF;
		memcpy(parts.numbers, numbers, sizeof(numbers));
	}
	return parts;
}

static struct remote read_any(term t)
{
	return term_is_remote(t) ? remote_read(t) : read_local(t);
}

static int compare_nodes(const struct remote *a, const struct remote *b)
{
	int order = a->node == b->node ? 0 : atom_compare(a->node, b->node);

	return order ? order : COMPARE(a->creation, b->creation);
}

static int compare_numbers(const struct remote *a, const struct remote *b)
{
	for (size_t i = REMOTE_REF_NUMBERS; i-- > 0;)
		if (a->numbers[i] != b->numbers[i])
			return COMPARE(a->numbers[i], b->numbers[i]);
	return COMPARE(a->value, b->value);
}

/* Pids by serial, number and then node; ports and references by node first. */
int remote_compare(term a, term b)
{
	struct remote left = read_any(a), right = read_any(b);
	int nodes = compare_nodes(&left, &right), numbers = compare_numbers(&left, &right);

	if (left.kind == KIND_REMOTE_PID)
		return numbers ? numbers : nodes;
	return nodes ? nodes : numbers;
}

uint64_t remote_hash(term t)
{
	struct remote parts = remote_read(t);
	uint64_t hash = hash_combine(atom_name(parts.node)->hash, parts.creation);

	hash = hash_combine(hash, parts.value);
	for (size_t i = 0; i < REMOTE_REF_NUMBERS; i++)
		hash = hash_combine(hash, parts.numbers[i]);
	return hash;
}

uint64_t remote_number(term t)
{
	struct remote parts = remote_read(t);

	if (parts.kind == KIND_REMOTE_PID)
		return (uint32_t)parts.value;
	return parts.kind == KIND_REMOTE_PORT ? parts.value : parts.numbers[0];
}

/* ---- text ---- */

/* Never 0, which stands for this machine. */
static unsigned number_of_node(term node)
{
	return 1000 + (unsigned)(atom_name(node)->hash % 1000000);
}

void remote_print(term t, struct strbuf *out)
{
	struct remote parts = remote_read(t);
	unsigned node = number_of_node(parts.node);

	if (parts.kind == KIND_REMOTE_PID) {
		strbuf_addf(out, "<%u.%u.%u>", node, (unsigned)parts.value,
			    (unsigned)(parts.value >> 32));
	} else if (parts.kind == KIND_REMOTE_PORT) {
		strbuf_addf(out, "#Port<%u.%llu>", node, (unsigned long long)parts.value);
	} else {
		strbuf_addf(out, "#Ref<%u", node);
		for (size_t i = parts.numbers_len; i-- > 0;)
			strbuf_addf(out, ".%u", parts.numbers[i]);
		strbuf_addc(out, '>');
	}
}
