/* leaks.c: leaks that depend on the schedule. If all blocks of an allocation site are freed in one
 * complete run but not in another, then some order of events loses them. Blocks that are not
 * freed in any run are not a finding: many programs leave memory to the end of the process. */
#include <stdio.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/plural.h"
#include "detect/detect.h"

/* The complete run that left the fewest blocks of a site. */
struct least {
	uint64_t count;
	struct trace *run; /* owned */
};

struct leaks {
	struct detector base;
	struct map index; /* site -> 1 + index into least */
	VEC(struct least) least;
	struct trace *first; /* owned: the first complete run; NULL before the first */
};

bool detect_knows_leaks(const struct trace *trace)
{
	return trace->end == END_DONE && !trace->void_turns &&
	       !(trace->lives_len && !trace->lives[0].count);
}

static uint64_t count_left(const struct trace *trace, uint64_t site)
{
	for (uint32_t i = 0; i < trace->lives_len; i++)
		if (trace->lives[i].site == site)
			return trace->lives[i].count;
	return 0;
}

static void add_leak(struct finding_vec *findings, const struct live *live, uint64_t least)
{
	struct finding *finding = vec_push(findings);
	char left[24] = "none";

	*finding = (struct finding){.kind = FINDING_LEAK, .least = least};
	if (least)
		snprintf(left, sizeof(left), "%lu", least);
	snprintf(finding->message, sizeof(finding->message),
		 "this run does not free %lu block%s (%lu byte%s); another run leaves %s",
		 live->count, PLURAL(live->count), live->bytes, PLURAL(live->bytes), left);
	finding_add_site(finding, live->site, ACTOR_NONE, UINT32_MAX, "allocated here");
	finding_set_fingerprint(finding);
}

/* No earlier complete run left blocks of this site: all of them were freed. */
static struct least *least_of(struct leaks *l, const struct trace *trace, const struct live *live)
{
	bool is_new;
	uint64_t *index = map_put(&l->index, live->site, &is_new);

	if (is_new) {
		*vec_push(&l->least) = (struct least){l->first ? 0 : live->count,
						      trace_copy(l->first ? l->first : trace)};
		*index = l->least.len;
	}
	return &l->least.items[*index - 1];
}

static void leaks_look(struct detector *self, const struct trace *trace,
		       struct finding_vec *findings)
{
	struct leaks *l = (struct leaks *)self;

	if (!detect_knows_leaks(trace))
		return;
	for (uint32_t i = 0; i < trace->lives_len; i++) {
		const struct least *least = least_of(l, trace, &trace->lives[i]);

		if (trace->lives[i].count > least->count)
			add_leak(findings, &trace->lives[i], least->count);
	}
	for (size_t e = 0; e < l->index.len; e++) {
		uint64_t left = count_left(trace, l->index.entries[e].key);
		struct least *least = &l->least.items[l->index.entries[e].value - 1];

		if (left >= least->count)
			continue;
		mem_free(least->run);
		*least = (struct least){left, trace_copy(trace)};
	}
	if (!l->first)
		l->first = trace_copy(trace);
}

static const struct trace *leaks_other(const struct detector *self, const struct finding *finding)
{
	const struct leaks *l = (const struct leaks *)self;
	const uint64_t *index;

	if (finding->kind != FINDING_LEAK)
		return NULL;
	index = map_get(&l->index, finding->sites[0].site);
	return index ? l->least.items[*index - 1].run : NULL;
}

static void leaks_restart(struct detector *self)
{
	struct leaks *l = (struct leaks *)self;

	for (size_t i = 0; i < l->least.len; i++)
		mem_free(l->least.items[i].run);
	l->least.len = 0;
	map_clear(&l->index);
	mem_free(l->first);
	l->first = NULL;
}

static void leaks_free(struct detector *self)
{
	struct leaks *l = (struct leaks *)self;

	leaks_restart(self);
	vec_release(&l->least);
	map_release(&l->index);
	mem_free(self);
}

static const struct detector_ops leaks_ops = {
	.look = leaks_look,
	.other = leaks_other,
	.restart = leaks_restart,
	.free = leaks_free,
};

struct detector *detect_leaks(void)
{
	struct leaks *l = mem_zalloc(sizeof(*l));

	l->base.ops = &leaks_ops;
	return &l->base;
}
