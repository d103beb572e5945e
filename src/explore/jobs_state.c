#include "explore/jobs_state.h"

#include <string.h>

/* The parameters without pointers: the strategies that have workers use none. */
static struct strategy_params plain_params(const struct strategy_params *params)
{
	struct strategy_params plain = *params;

	plain.prefers = NULL;
	plain.prefers_ctx = NULL;
	plain.hapset = NULL;
	plain.cover = NULL;
	return plain;
}

void jobs_state_put(struct strbuf *out, const struct walk *walk,
		    const struct explore_options *options)
{
	struct strategy_params params = plain_params(&options->params);
	struct strbuf knowledge = {0};

	bytes_put_text(out, options->strategy, strlen(options->strategy));
	bytes_put(out, &params, sizeof(params));
	bytes_put_u32(out, options->ignored);
	bytes_put_u8(out, options->hash_traces);
	bytes_put_u8(out, options->count_traces);
	bytes_put_u32(out, walk->actors_len);
	bytes_put_u32(out, walk->values_len);
	walk->target->ops->save_knowledge(walk->target, &knowledge);
	bytes_put_text(out, strbuf_text(&knowledge), knowledge.len);
	bytes_put_u32(out, (uint32_t)walk->history->runs.len);
	for (size_t i = 0; i < walk->history->runs.len; i++)
		bytes_put_text(out, walk->history->runs.items[i].text,
			       walk->history->runs.items[i].len);
	strbuf_release(&knowledge);
}

static bool read_options(struct jobs_state *s, struct bytes_in *in)
{
	struct bytes_in strategy = bytes_text(in);

	if (strategy.is_short || strategy.len >= sizeof(s->strategy))
		return false;
	memcpy(s->strategy, strategy.at, strategy.len);
	s->options.strategy = s->strategy;
	bytes_get(in, &s->options.params, sizeof(s->options.params));
	s->options.params = plain_params(&s->options.params);
	s->options.ignored = bytes_u32(in);
	s->options.hash_traces = bytes_u8(in);
	s->options.count_traces = bytes_u8(in);
	return !in->is_short;
}

static bool load_knowledge(struct target *target, struct bytes_in *in, struct err *err)
{
	struct bytes_in knowledge = bytes_text(in);
	struct strbuf text = {0};
	bool ok;

	if (knowledge.is_short)
		return false;
	bytes_put(&text, knowledge.at, knowledge.len);
	ok = target->ops->load_knowledge(target, strbuf_text(&text), err);
	strbuf_release(&text);
	return ok;
}

static bool repeat_runs(struct jobs_state *s, struct bytes_in *in, struct err *err)
{
	uint32_t len = bytes_count(in, sizeof(uint64_t));

	for (uint32_t i = 0; i < len; i++) {
		struct bytes_in run = bytes_text(in);

		if (run.is_short)
			return false;
		if (!history_repeat(&s->history, &s->walk, run, err))
			return err->message[0] ? false
					       : err_set(err, "run %u of %u that the search made does "
							      "not give the same trace here", i + 1, len);
	}
	return !in->is_short;
}

bool jobs_state_load(struct jobs_state *s, struct target *target, struct bytes_in in,
		     struct err *err)
{
	uint32_t actors_len, values_len;
	bool ok;

	*s = (struct jobs_state){0};
	ok = read_options(s, &in);
	actors_len = bytes_u32(&in);
	values_len = bytes_u32(&in);
	walk_init(&s->walk, target, ok && strategy_is_sampler(s->strategy) ? s->strategy : "dpor",
		  &s->options.params);
	s->walk.history = &s->history;
	ok = ok && load_knowledge(target, &in, err) && repeat_runs(s, &in, err);
	if (ok && (s->walk.actors_len != actors_len || s->walk.values_len != values_len))
		ok = err_set(err, "the program's threads or values do not get the same numbers here "
				  "(%u and %u instead of %u and %u)", s->walk.actors_len,
			     s->walk.values_len, actors_len, values_len);
	if (!ok && !err->message[0])
		err_set(err, "the state of the search is damaged");
	return ok;
}

void jobs_state_release(struct jobs_state *s)
{
	walk_release(&s->walk);
	history_release(&s->history);
}
