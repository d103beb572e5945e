#include "explain/fingerprint.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "detect/message.h"

static uint64_t hash_text(const char *text)
{
	return hash_bytes(text, strlen(text));
}

static bool is_known(const char *function)
{
	return function && strcmp(function, "?") != 0;
}

static struct target_frame describe(struct target *target, const struct finding_site *site)
{
	struct target_frame frame = {0};

	if (site->site)
		target->ops->describe_site(target, site->site, &frame);
	return frame;
}

/* Which function does what; the sum does not depend on the order of the sites. The thread that
 * holds a lock that is misused differs from run to run. */
static uint64_t hash_sites(struct target *target, const struct finding *finding, bool has_files)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *site = &finding->sites[i];
		struct target_frame frame = describe(target, site);
		uint64_t hash = hash_text(frame.function ? frame.function : "?");

		if (strcmp(site->role, FINDING_TOOK_LOCK) == 0)
			continue;
		if (has_files && frame.file)
			hash = hash_combine(hash, hash_text(file_base_name(frame.file)));
		sum += hash_combine(hash, message_hash(site->role));
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

/* The part that the first rule for fingerprints and the present one share. */
static uint64_t add_object(uint64_t hash, struct target *target, const struct finding *finding)
{
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

uint64_t fingerprint_first(struct target *target, const struct finding *finding)
{
	uint64_t hash = hash_combine(hash_text(finding_kind_text(finding->kind)),
				     hash_sites(target, finding, false));

	if (has_reason(finding->kind))
		hash = hash_combine(hash, message_hash(finding->message));
	return add_object(hash, target, finding);
}

uint64_t fingerprint_match(struct target *target, const struct finding *finding)
{
	uint64_t hash = hash_text(finding_kind_text(finding->kind));

	if (finding->kind != FINDING_HANG)
		hash = hash_combine(hash, hash_sites(target, finding, true));
	if (has_reason(finding->kind))
		hash = hash_combine(hash, message_reason_hash(finding->message));
	return add_object(hash, target, finding);
}

/* ---- the ordinal among equal lines ---- */

struct line {
	const char *text; /* without blanks around it */
	size_t len;
};

static struct line trim(const char *text, size_t len)
{
	while (len && isspace((unsigned char)text[0]))
		text++, len--;
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	return (struct line){text, len};
}

/* Does another function begin at this line, as far as its first characters say? In C and Erlang the
 * lines of a body are indented; an Erlang function can have several clauses, which begin with its
 * name. A wrong guess makes the ordinal less stable and nothing else. */
static bool is_beginning(const char *text, const char *function)
{
	const char *colon = strrchr(function, ':');
	const char *name = colon ? colon + 1 : function;
	size_t len = strcspn(text, "\n"), name_len = strcspn(name, "/(");

	if (!len || (!isalpha((unsigned char)text[0]) && text[0] != '_') || !memchr(text, '(', len))
		return false;
	return strncmp(text, name, name_len) != 0 || text[name_len] != '(';
}

static const char *find_line(const char *source, uint32_t line)
{
	const char *at = source;

	for (uint32_t n = 1; n < line && *at; n++)
		at += strcspn(at, "\n") + (strchr(at, '\n') != NULL);
	return at;
}

/* How many lines from the beginning of the function to this one have the same text. */
static uint32_t count_equal(const char *source, uint32_t line, const char *function)
{
	const char *at = find_line(source, line);
	struct line wanted = trim(at, strcspn(at, "\n"));
	uint32_t count = 0;

	if (!wanted.len)
		return 0;
	while (at > source && !is_beginning(at, function)) {
		struct line above;

		for (at--; at > source && at[-1] != '\n'; at--)
			;
		above = trim(at, strcspn(at, "\n"));
		count += above.len == wanted.len && memcmp(above.text, wanted.text, above.len) == 0;
	}
	return count;
}

/* A line of the source: a hash of its text without blanks, 0 if the file cannot be read, and the
 * ordinal among equal lines. */
struct source_line {
	uint64_t text;
	uint32_t ordinal;
};

static struct source_line read_line(const struct target_frame *frame)
{
	struct strbuf source = {0};
	struct source_line found = {0};

	if (frame->function && frame->file && frame->line && file_read(frame->file, &source, NULL)) {
		const char *at = find_line(strbuf_text(&source), frame->line);

		for (size_t i = 0; i < strcspn(at, "\n"); i++)
			if (!isspace((unsigned char)at[i]))
				found.text = hash_combine(found.text, (unsigned char)at[i]);
		found.ordinal = count_equal(strbuf_text(&source), frame->line, frame->function);
	}
	strbuf_release(&source);
	return found;
}

/* Tells places apart that have the same match. */
static uint64_t hash_places(struct target *target, const struct finding *finding)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *site = &finding->sites[i];
		struct target_frame frame = describe(target, site);
		struct source_line line = read_line(&frame);

		if (line.text)
			sum += hash_combine(hash_combine(line.text, line.ordinal), i);
	}
	return sum;
}

/* Of a finding whose places have no names: their addresses, and the name of the program. */
static uint64_t hash_unnamed(struct target *target, const struct finding *finding)
{
	struct target_facts facts = {0};
	bool has_file = false;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < finding->sites_len; i++) {
		const struct finding_site *site = &finding->sites[i];
		struct target_frame frame = describe(target, site);

		has_file = has_file || frame.file;
		if (!is_known(frame.function) && !frame.file)
			sum += hash_combine(site->site, message_hash(site->role));
	}
	target->ops->facts(target, &facts);
	if (!has_file && facts.program)
		sum = hash_combine(sum, hash_text(file_base_name(facts.program)));
	return sum;
}

/* The function, whether the first thread is in it, and of a call its line. */
static uint64_t hash_hang(struct target *target, const struct finding *finding)
{
	uint64_t hash = hash_sites(target, finding, true);

	if (finding->sites_len && finding->sites[0].actor == 0)
		hash = hash_combine(hash, hash_text("main"));
	if (finding->sites_len && strcmp(finding->sites[0].role, HANG_IN_CALL) == 0)
		hash = hash_combine(hash, hash_places(target, finding));
	return hash;
}

uint64_t fingerprint_of(struct target *target, const struct finding *finding)
{
	uint64_t hash = fingerprint_match(target, finding), places = 0;
	uint64_t unnamed = hash_unnamed(target, finding);

	if (finding->kind == FINDING_HANG)
		places = hash_hang(target, finding);
	else if (finding_has_one_place(finding->kind))
		places = hash_places(target, finding);
	hash = places ? hash_combine(hash, places) : hash;
	return unnamed ? hash_combine(hash, unnamed) : hash;
}

void fingerprint_line(struct target *target, const struct finding *finding, uint64_t *text,
		      uint32_t *ordinal)
{
	struct source_line line = {0};

	if (finding->kind != FINDING_HANG && finding_has_one_place(finding->kind) &&
	    finding->sites_len) {
		struct target_frame frame = describe(target, &finding->sites[0]);

		line = read_line(&frame);
	}
	*text = line.text;
	*ordinal = line.ordinal;
}
