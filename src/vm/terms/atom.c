#include "vm/terms/atom.h"

#include "base/bug.h"
#include "base/hash.h"
#include "base/mem.h"
#include "vm/memory/region.h"
#include "vm/machine.h"

static uint32_t *find_slot(const char *text, size_t len, uint64_t hash)
{
	const struct atom_table *table = &machine.atoms;
	size_t i = hash & (table->slots_len - 1);

	while (table->slots[i]) {
		const struct atom_name *name = &table->names.items[table->slots[i] - 1];

		if (name->hash == hash && name->len == len && memcmp(name->text, text, len) == 0)
			break;
		i = (i + 1) & (table->slots_len - 1);
	}
	return &table->slots[i];
}

static void grow_slots(struct atom_table *table)
{
	size_t len = table->slots_len ? table->slots_len * 2 : 8192;
	uint32_t *slots = mem_zalloc(len * sizeof(*slots)); /* may leave the run: first of all */

	mem_free(table->slots);
	table->slots = slots;
	table->slots_len = len;
	for (size_t n = 0; n < table->names.len; n++) {
		const struct atom_name *name = &table->names.items[n];

		*find_slot(name->text, name->len, name->hash) = (uint32_t)n + 1;
	}
}

static uint64_t compute_order(const char *text, size_t len)
{
	uint64_t order = 0;

	for (size_t i = 0; i < 8; i++)
		order = order << 8 | (i < len ? (uint8_t)text[i] : 0);
	return order;
}

static uint32_t count_chars(const char *text, size_t len)
{
	uint32_t chars = 0;

	for (size_t i = 0; i < len; i++)
		chars += ((uint8_t)text[i] & 0xc0) != 0x80;
	return chars;
}

enum { PLACE_LATE = UINT32_MAX };

static uint32_t choose_place(struct atom_table *table)
{
	if (!table->has_places)
		return 0;
	table->is_late = table->is_late || vm_get()->is_explored;
	return table->is_late ? PLACE_LATE : (uint32_t)table->names.len + ATOM_NUMBER_COUNT;
}

/* A new atom. All allocations come before the first change, because an allocation leaves the run when
 * the memory is used up. */
static void add_name(struct atom_table *table, const char *text, size_t len, uint64_t hash)
{
	const char *copy = arena_strndup(&table->texts, text, len);
	struct atom_name *name;

	if (table->names.len * 2 >= table->slots_len)
		grow_slots(table);
	name = vec_push(&table->names);
	name->text = copy;
	name->len = (uint32_t)len;
	name->chars = count_chars(text, len);
	name->order = compute_order(text, len);
	name->hash = hash;
	name->place = choose_place(table);
	*find_slot(text, len, hash) = (uint32_t)table->names.len;
}

/* The table is not put back after a run: no run is left while it changes (vm_interrupt()). */
static term intern(const char *text, size_t len)
{
	struct atom_table *table = &machine.atoms;
	uint64_t hash = hash_bytes(text, len);
	volatile sig_atomic_t *is_inside = &machine.running.is_inside;
	sig_atomic_t was_inside;

	if (!table->slots_len)
		grow_slots(table);
	if (!*find_slot(text, len, hash)) {
		was_inside = *is_inside;
		*is_inside = 0;
		add_name(table, text, len, hash);
		*is_inside = was_inside;
	}
	return atom_make(*find_slot(text, len, hash) - 1);
}

/* The atoms of a node that has just started, in the order of their places. Each table is one string
 * with a zero byte behind each atom: an array of pointers would be relocated at every start. */
static const char places_27[] =
#define ATOM_PLACE(text) text "\0"
#include "vm/terms/atom_places_27.def"
	;
static const char places_29[] =
#include "vm/terms/atom_places_29.def"
#undef ATOM_PLACE
	;

static uint32_t count_texts(const char *text, const char *end)
{
	uint32_t count = 0;

	for (; text < end; text++)
		count += *text == '\0';
	return count;
}

/* Gives the atoms of such a node of this release their places. The places of other atoms are above
 * all of these. */
static void read_places(unsigned release)
{
	const char *text = release < 28 ? places_27 : places_29;
	const char *end = text + (release < 28 ? sizeof(places_27) : sizeof(places_29)) - 1;
	uint32_t len = count_texts(text, end);

	for (uint32_t i = 0; i < ATOM_NUMBER_COUNT; i++)
		machine.atoms.names.items[i].place = len + i;
	for (uint32_t i = 0; i < len; i++) {
		term atom = intern(text, strlen(text));

		machine.atoms.names.items[atom_index(atom)].place = i;
		text += strlen(text) + 1;
	}
	machine.atoms.has_places = true;
}

void atom_table_open(unsigned release)
{
	static const struct {
		const char *text;
		size_t len;
	} own[] = {
#define ATOM(id, name_text) {name_text, sizeof(name_text) - 1},
#include "vm/terms/atoms.def"
#undef ATOM
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		term atom = intern(own[i].text, own[i].len);

		BUG_ON(atom_index(atom) != i, "atoms.def lists '%s' twice", own[i].text);
	}
	if (release >= 26)
		read_places(release);
}

void atom_table_close(void)
{
	mem_free(machine.atoms.slots);
	arena_release(&machine.atoms.texts);
	vec_release(&machine.atoms.names);
}

void atom_mark_existing(term atom)
{
	struct vm *vm = vm_get();
	uint32_t index = atom_index(atom);
	size_t words = index / 64 + 1;

	if (words > vm->atoms_exist_words) {
		size_t old = vm->atoms_exist_words;
		size_t grown = words + words / 2 + 64;

		vm->atoms_exist = region_grow(vm->atoms_exist, old * 8, grown * 8);
		memset(vm->atoms_exist + old, 0, (grown - old) * 8);
		vm->atoms_exist_words = grown;
	}
	if (!(vm->atoms_exist[index / 64] >> (index % 64) & 1)) {
		vm->atoms_exist[index / 64] |= (uint64_t)1 << (index % 64);
		vm->relied_on |= RELIED_ON_NEW_ATOMS;
	}
}

term atom_from_text(const char *text, size_t len)
{
	term atom = intern(text, len);

	atom_mark_existing(atom);
	return atom;
}

term atom_from_string(const char *text)
{
	return atom_from_text(text, strlen(text));
}

term atom_find_existing(const char *text, size_t len)
{
	struct vm *vm = vm_get();
	uint32_t *slot = find_slot(text, len, hash_bytes(text, len));
	uint32_t index;

	index = *slot - 1;
	if (*slot && index < ATOM_NUMBER_COUNT)
		return atom_make(index);
	if (*slot && index / 64 < vm->atoms_exist_words &&
	    vm->atoms_exist[index / 64] >> (index % 64) & 1) {
		if (vm->relied_on & RELIED_ON_NEW_ATOMS) /* it may have been this one */
			vm->relied_on |= RELIED_ON_ATOMS;
		return atom_make(index);
	}
	vm->relied_on |= RELIED_ON_ATOMS;
	return TERM_NONE;
}

const struct atom_name *atom_name(term atom)
{
	return &machine.atoms.names.items[atom_index(atom)];
}

int atom_compare(term a, term b)
{
	const struct atom_name *left = atom_name(a), *right = atom_name(b);
	size_t len = left->len < right->len ? left->len : right->len;
	int order;

	if (left->order != right->order)
		return left->order < right->order ? -1 : 1;
	order = memcmp(left->text, right->text, len);
	return order ? order : (left->len > right->len) - (left->len < right->len);
}

int atom_compare_places(term a, term b)
{
	uint32_t left = atom_name(a)->place, right = atom_name(b)->place;

	if (left == right)
		return atom_compare(a, b);
	return left < right ? -1 : 1;
}
