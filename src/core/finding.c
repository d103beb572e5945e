#include "core/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

static const char *const texts[FINDING_KINDS] = {
#define FINDING(name, text, sentence) [FINDING_##name] = text,
#include "core/finding.def"
#undef FINDING
};

static const char *const sentences[FINDING_KINDS] = {
#define FINDING(name, text, sentence) [FINDING_##name] = sentence,
#include "core/finding.def"
#undef FINDING
};

/* FINDING_KINDS: a run that was kept although no detector found anything in it. */
const char *finding_kind_text(uint32_t kind)
{
	return kind < FINDING_KINDS ? texts[kind] : "schedule";
}

const char *finding_kind_sentence(uint32_t kind)
{
	return kind < FINDING_KINDS ? sentences[kind] : "A schedule that was kept.";
}

uint32_t finding_kind_named(const char *text)
{
	uint32_t kind = 0;

	while (kind < FINDING_KINDS && strcmp(texts[kind], text) != 0)
		kind++;
	return kind;
}

bool finding_has_one_place(uint32_t kind)
{
	switch (kind) {
	case FINDING_ASSERTION:
	case FINDING_CRASH:
	case FINDING_EXIT:
	case FINDING_MISUSE:
	case FINDING_HANG:
		return true;
	default:
		return false;
	}
}

void finding_add_site(struct finding *finding, uint64_t site, uint32_t actor, uint32_t step,
		      const char *role, ...)
{
	struct finding_site *added;
	va_list args;

	if (finding->sites_len == FINDING_SITES)
		return;
	added = &finding->sites[finding->sites_len++];
	added->site = site;
	added->actor = actor;
	added->step = step;
	va_start(args, role);
	vsnprintf(added->role, sizeof(added->role), role, args);
	va_end(args);
}

void finding_set_fingerprint(struct finding *finding)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < finding->sites_len; i++)
		sum += hash_combine(finding->sites[i].site, 7);
	finding->fingerprint = hash_combine(finding->kind, sum);
}
