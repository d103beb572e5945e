#include "detect/slots.h"

#include <string.h>

enum { SLOT_UNUSED = 0, SLOT_SHARED = 0x7fffffffu, SLOT_WRITTEN = 0x80000000u };

void slots_clear(struct slots *slots)
{
	memset(slots, 0, sizeof(*slots));
}

static uint32_t users_of(uint32_t slot)
{
	return slot & SLOT_SHARED;
}

static bool add(struct slots *slots, uint32_t index, uint32_t actor, bool is_write)
{
	uint32_t *slot = &slots->users[index], before = *slot, users = users_of(before);
	bool is_news = users != SLOT_SHARED && users != actor + 1;

	if (is_news)
		*slot += users ? SLOT_SHARED - users : actor + 1;
	if (is_write)
		*slot |= SLOT_WRITTEN;
	if (*slot != before && *slot == (SLOT_SHARED | SLOT_WRITTEN)) {
		slots->may_race = true;
		slots->full_len++;
	}
	return is_news;
}

/* As good as all memory. */
static bool add_everything(struct slots *slots)
{
	bool is_news = false;

	for (size_t i = 0; i < SLOTS; i++) {
		is_news |= users_of(slots->users[i]) != SLOT_SHARED;
		slots->users[i] = SLOT_SHARED | SLOT_WRITTEN;
	}
	slots->full_len = SLOTS;
	slots->may_race = true;
	return is_news;
}

bool slots_add(struct slots *slots, uint64_t address, uint64_t size, uint32_t actor, bool is_write)
{
	uint64_t word = address / SLOT_WORD, end = (address + size + SLOT_WORD - 1) / SLOT_WORD;
	bool is_news = false;

	if (end - word >= SLOTS)
		return add_everything(slots);
	for (; word < end; word++)
		is_news |= add(slots, slots_index(word), actor, is_write);
	return is_news;
}

bool slots_shared(const struct slots *slots, uint64_t address, uint32_t size, uint32_t actor)
{
	if (!size)
		return false;
	for (uint64_t word = address / SLOT_WORD; word * SLOT_WORD < address + size; word++) {
		uint32_t users = users_of(slots->users[slots_index(word)]);

		if (users != SLOT_UNUSED && users != actor + 1)
			return true;
	}
	return false;
}
