#include "detect/detect.h"

#include "base/mem.h"

static struct detector *(*const creators[])(void) = {
#define DETECTOR(create) create,
#include "detect/detectors.def"
#undef DETECTOR
};

enum { DETECTORS = sizeof(creators) / sizeof(creators[0]) };

struct detectors {
	struct detector *all[DETECTORS];
};

struct detector *detector_without_state(const struct detector_ops *ops)
{
	struct detector *detector = mem_zalloc(sizeof(*detector));

	detector->ops = ops;
	return detector;
}

struct detectors *detectors_new(void)
{
	struct detectors *d = mem_zalloc(sizeof(*d));

	for (size_t i = 0; i < DETECTORS; i++)
		d->all[i] = creators[i]();
	return d;
}

void detectors_free(struct detectors *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < DETECTORS; i++)
		if (d->all[i]->ops->free)
			d->all[i]->ops->free(d->all[i]);
		else
			mem_free(d->all[i]);
	mem_free(d);
}

void detectors_look(struct detectors *d, const struct trace *trace, struct finding_vec *findings)
{
	for (size_t i = 0; i < DETECTORS; i++)
		d->all[i]->ops->look(d->all[i], trace, findings);
}

const struct trace *detectors_other(const struct detectors *d, const struct finding *finding)
{
	const struct trace *other = NULL;

	for (size_t i = 0; i < DETECTORS && !other; i++)
		if (d->all[i]->ops->other)
			other = d->all[i]->ops->other(d->all[i], finding);
	return other;
}

void detectors_restart(struct detectors *d)
{
	for (size_t i = 0; i < DETECTORS; i++)
		if (d->all[i]->ops->restart)
			d->all[i]->ops->restart(d->all[i]);
}
