#include "cli/fingerprint.h"

#include <string.h>

#include "base/hash.h"
#include "detect/message.h"

static uint64_t hash_text(const char *text)
{
	return hash_bytes(text, strlen(text));
}

/* Which function does what; the sum does not depend on the order of the sites. */
static uint64_t hash_sites(struct target *target, const struct finding *finding)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *site = &finding->sites[i];
		struct target_frame frame = {0};

		if (site->site)
			target->ops->describe_site(target, site->site, &frame);
		sum += hash_combine(hash_text(frame.function ? frame.function : "?"),
				    message_hash(site->role));
	}
	return sum;
}

/* The messages of other kinds describe the schedule, not the reason. */
static bool has_reason(uint32_t kind)
{
	switch (kind) {
	case FINDING_ASSERTION:
	case FINDING_CRASH:
	case FINDING_EXIT:
	case FINDING_MISUSE:
	case FINDING_MEMORY:
	case FINDING_PROPERTY:
		return true;
	default:
		return false;
	}
}

uint64_t fingerprint_of(struct target *target, const struct finding *finding)
{
	uint64_t hash = hash_combine(hash_text(finding_kind_text(finding->kind)),
				     hash_sites(target, finding));

	if (has_reason(finding->kind))
		hash = hash_combine(hash, message_hash(finding->message));
	if (finding->kind == FINDING_RACE && finding->object) {
		struct strbuf name = {0};

		target->ops->describe_object(target, finding->object, &name);
		hash = hash_combine(hash, message_hash(strbuf_text(&name)));
		strbuf_release(&name);
	}
	/* Two tests that fail in the same way differ by the functions they call. */
	if (finding->kind == FINDING_NOT_LINEARIZABLE)
		hash = hash_combine(hash, finding->fingerprint);
	return hash;
}
