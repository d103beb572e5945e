#include "explore/spare.h"

struct target *spare_new(struct spare *spare)
{
	const struct target_ops *ops = spare->model->ops;
	struct err err = {0};
	struct target *target = spare->is_tied && ops->again_here
					? ops->again_here(spare->model, &err)
					: ops->again(spare->model, &err);

	if (target && target->ops->heed)
		target->ops->heed(target, spare->stop);
	return target;
}

static bool start(struct spare *spare)
{
	if (!spare->target)
		spare->target = spare_new(spare);
	return spare->target;
}

bool spare_run(struct spare *spare, const struct schedule *schedule, struct trace *trace)
{
	struct err err = {0};

	if (!start(spare) || !spare->target->ops->run(spare->target, schedule, trace, &err))
		return false;
	if (trace->end == END_RELEARN)
		spare_release(spare);
	return spare->target && trace->end != END_LOST;
}

void spare_release(struct spare *spare)
{
	if (spare->target)
		spare->target->ops->free(spare->target);
	spare->target = NULL;
}
