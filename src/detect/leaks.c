/* leaks.c: leaks that depend on the schedule. A site whose blocks are all freed in one
 * complete run and not in another loses them in some order of events; what is never
 * freed in any run is the program's way of life and no finding. */
#include <stdio.h>

#include "base/map.h"
#include "base/mem.h"
#include "detect/detect.h"

struct leaks {
	struct detector base;
	struct map least; /* site -> 1 + fewest blocks left by any complete run */
	uint64_t complete_runs;
};

static bool is_complete(const struct trace *trace)
{
	return trace->end == END_DONE && !trace->void_turns;
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

	*finding = (struct finding){.kind = FINDING_LEAK};
	snprintf(finding->message, sizeof(finding->message),
		 "this run leaves %lu blocks (%lu bytes) that another run frees (it leaves %lu)",
		 live->count, live->bytes, least);
	finding_add_site(finding, live->site, ACTOR_NONE, UINT32_MAX, "allocated here");
	finding_set_fingerprint(finding);
}

static void leaks_look(struct detector *self, const struct trace *trace,
		       struct finding_vec *findings)
{
	struct leaks *l = (struct leaks *)self;

	if (!is_complete(trace))
		return;
	for (uint32_t i = 0; i < trace->lives_len; i++) {
		bool is_new;
		uint64_t *least = map_put(&l->least, trace->lives[i].site, &is_new);

		/* A site nobody left blocks of before, although runs were complete, freed all. */
		if (is_new)
			*least = 1 + (l->complete_runs ? 0 : trace->lives[i].count);
		if (trace->lives[i].count > *least - 1)
			add_leak(findings, &trace->lives[i], *least - 1);
	}
	for (size_t e = 0; e < l->least.len; e++) {
		uint64_t left = count_left(trace, l->least.entries[e].key);

		if (left < l->least.entries[e].value - 1)
			l->least.entries[e].value = left + 1;
	}
	l->complete_runs++;
}

static void leaks_restart(struct detector *self)
{
	struct leaks *l = (struct leaks *)self;

	map_clear(&l->least);
	l->complete_runs = 0;
}

static void leaks_free(struct detector *self)
{
	map_release(&((struct leaks *)self)->least);
	mem_free(self);
}

static const struct detector_ops leaks_ops = {
	.look = leaks_look,
	.restart = leaks_restart,
	.free = leaks_free,
};

struct detector *detect_leaks(void)
{
	struct leaks *l = mem_zalloc(sizeof(*l));

	l->base.ops = &leaks_ops;
	return &l->base;
}
