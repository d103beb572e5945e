#include "cli/search/coverage.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/plural.h"

enum { RISKIEST_SHOWN = 5, RISKIEST_LISTED = 100, CURVE_SHOWN = 20 };
enum { MEASURED_RUNS = 20, MEASURED_PAIRS = 200000 };

/* ---- statements ---- */

/* Files below the current folder by their relative path, so that sets fit another checkout. */
static const char *shorten(const struct coverage *c, const char *file)
{
	size_t len = strlen(c->folder);

	return file && len > 1 && strncmp(file, c->folder, len) == 0 && file[len] == '/'
		       ? file + len + 1 : file;
}

static uint32_t find_places(void *ctx, const struct event *event, struct statement_place *places,
			    uint32_t max)
{
	struct coverage *c = ctx;
	struct target_frame frames[1 + STATEMENT_CALLERS_MAX];
	uint32_t len = 1;

	if (c->target->ops->context)
		len = c->target->ops->context(c->target, event, frames, max);
	else
		c->target->ops->describe_site(c->target, event->site, &frames[0]);
	for (uint32_t i = 0; i < len; i++)
		places[i] = (struct statement_place){shorten(c, frames[i].file), frames[i].line,
						     frames[i].address};
	return len;
}

/* ---- the file ---- */

static bool read_all(FILE *file, struct strbuf *out)
{
	char buffer[4096];
	size_t got;

	while ((got = fread(buffer, 1, sizeof(buffer), file)) > 0)
		strbuf_add(out, buffer, got);
	return !ferror(file);
}

/* A file that is not there yet is an empty set. */
static bool read_set(struct coverage *c, struct err *err)
{
	const char *path = c->options->hapset;
	FILE *file = fopen(path, "r");
	struct strbuf text = {0};
	bool ok;

	if (!file && errno == ENOENT)
		return true;
	if (!file)
		return err_set_errno(err, "cannot read %s", path);
	ok = read_all(file, &text) || err_set_errno(err, "cannot read %s", path);
	ok = ok &&
	     (hapset_read(&c->hapset, strbuf_text(&text), err) || err_prefix(err, "%s: ", path));
	fclose(file);
	strbuf_release(&text);
	return ok;
}

/* The folder is locked and not the file, which every search replaces. -1: without a lock, which a
 * file system may not have, the search that ends last wins. */
static int lock_folder(const char *path)
{
	char folder[4096];
	int fd;

	snprintf(folder, sizeof(folder), "%.*s.", (int)(file_base_name(path) - path), path);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		flock(fd, LOCK_EX);
	return fd;
}

bool coverage_save(struct coverage *c, struct err *err)
{
	struct strbuf text = {0};
	bool ok;
	int fd;

	if (!c->uses_hapset || !c->options->hapset)
		return true;
	fd = lock_folder(c->options->hapset);
	ok = read_set(c, err);
	if (ok) {
		hapset_write(&c->hapset, &text);
		ok = file_write(c->options->hapset, strbuf_text(&text), text.len, err);
	}
	if (fd >= 0)
		close(fd);
	strbuf_release(&text);
	return ok;
}

bool coverage_start(struct coverage *c, const struct test_options *options, struct target *target,
		    struct strategy_params *params, struct err *err)
{
	*c = (struct coverage){.options = options, .target = target};
	c->uses_hapset = strncmp(options->strategy, "hapset", 6) == 0;
	c->uses_cover = strcmp(options->strategy, "coverage") == 0;
	params->cover = &c->cover;
	params->criteria = options->criterion < GOAL_CRITERIA ? 1u << options->criterion : 0;
	if (target->ops->want_waiting)
		target->ops->want_waiting(target, c->uses_cover || options->coverage > 0);
	if (!c->uses_hapset)
		return true;
	if (!getcwd(c->folder, sizeof(c->folder)))
		c->folder[0] = '\0';
	c->hapset.statements.places = find_places;
	c->hapset.statements.ctx = c;
	c->hapset.statements.callers = (uint32_t)options->context;
	if (target->ops->want_contexts)
		target->ops->want_contexts(target, (uint32_t)options->context);
	params->hapset = &c->hapset;
	params->train = (uint32_t)options->train;
	return !options->hapset || read_set(c, err);
}

/* ---- measuring ---- */

/* By default as long as it costs next to nothing; by work, not by the clock, so that the
 * same search always gives the same numbers. */
static bool is_measuring(const struct coverage *c)
{
	if (c->options->coverage != COVERAGE_SOME)
		return c->measured < c->options->coverage;
	return !c->is_apart && c->measured < MEASURED_RUNS && c->looked_at < MEASURED_PAIRS;
}

void coverage_measure(struct coverage *c, const struct trace *trace)
{
	if (!trace) {
		goals_clear(&c->goals);
		goals_clear(&c->sent);
		c->runs = c->measured = c->looked_at = 0;
		c->runs_sent = c->measured_sent = c->looked_at_sent = 0;
		return;
	}
	c->runs++;
	if (!is_measuring(c))
		return;
	c->measured++;
	causality_build(&c->causality, trace, CAUSALITY_PLAIN);
	receives_find(&c->receives, trace, &c->causality);
	c->cut = c->cut || c->receives.cut;
	for (uint32_t criterion = 0; criterion < GOAL_CRITERIA; criterion++)
		goals_add(&c->goals, criterion, c->receives.items.items,
			  (uint32_t)c->receives.items.len);
	c->looked_at += c->receives.items.len * c->receives.items.len / 2;
	if (!is_measuring(c) && !c->uses_cover && c->target->ops->want_waiting)
		c->target->ops->want_waiting(c->target, false);
}

/* ---- other processes ---- */

/* The pairs that were not sent yet, or with one order only. */
static void put_news(struct strbuf *out, const struct map *pairs, struct map *sent)
{
	struct strbuf news = {0};

	for (size_t i = 0; i < pairs->len; i++) {
		uint64_t *bits = map_put(sent, pairs->entries[i].key, NULL);

		if (*bits == pairs->entries[i].value)
			continue;
		*bits = pairs->entries[i].value;
		bytes_put_u64(&news, pairs->entries[i].key);
		bytes_put_u64(&news, pairs->entries[i].value);
	}
	bytes_put_text(out, strbuf_text(&news), news.len);
	strbuf_release(&news);
}

void coverage_put(struct coverage *c, struct strbuf *out)
{
	bytes_put_u64(out, c->runs - c->runs_sent);
	bytes_put_u64(out, c->measured - c->measured_sent);
	bytes_put_u64(out, c->looked_at - c->looked_at_sent);
	bytes_put_u8(out, c->cut);
	for (uint32_t criterion = 0; criterion < GOAL_CRITERIA; criterion++)
		put_news(out, &c->goals.pairs[criterion], &c->sent.pairs[criterion]);
	c->runs_sent = c->runs;
	c->measured_sent = c->measured;
	c->looked_at_sent = c->looked_at;
}

void coverage_add(struct coverage *c, struct bytes_in *in)
{
	c->runs += bytes_u64(in);
	c->measured += bytes_u64(in);
	c->looked_at += bytes_u64(in);
	c->cut = bytes_u8(in) || c->cut;
	for (uint32_t criterion = 0; criterion < GOAL_CRITERIA; criterion++) {
		struct bytes_in pairs = bytes_text(in);

		while (pairs.len) {
			uint64_t pair = bytes_u64(&pairs), bits = bytes_u64(&pairs);

			if (pairs.is_short)
				break;
			*map_put(&c->goals.pairs[criterion], pair, NULL) |= bits;
		}
	}
}

/* ---- words ---- */

static const char *statement_name(const struct coverage *c, uint64_t number)
{
	return statement_text(&c->hapset.statements, (uint32_t)number);
}

static json_t *hapset_json(const struct coverage *c)
{
	struct hapset_missed riskiest[RISKIEST_LISTED];
	uint32_t len = hapset_riskiest(&c->hapset, riskiest, RISKIEST_LISTED);
	json_t *curve = json_array(), *missed = json_array();

	for (size_t i = 0; i < c->hapset.curve.len; i++)
		json_array_append_new(curve, json_integer(c->hapset.curve.items[i]));
	for (uint32_t i = 0; i < len; i++)
		json_array_append_new(
			missed, json_pack("{s:s, s:s, s:i, s:i}", "statement",
					  statement_name(c, riskiest[i].pair >> 32), "before",
					  statement_name(c, riskiest[i].pair & UINT32_MAX), "raced",
					  (int)riskiest[i].raced, "tried", (int)riskiest[i].tried));
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "pairs",
			 (json_int_t)c->hapset.pairs.len, "from_file",
			 (json_int_t)c->hapset.read_len, "good_runs", (json_int_t)c->hapset.runs,
			 "context", (json_int_t)c->hapset.statements.callers, "uncovered",
			 (json_int_t)hapset_missed_len(&c->hapset), "new_pairs_per_100_runs", curve,
			 "riskiest", missed);
}

/* The number of pairs seen in one order and in both, and the number of runs that were measured. */
static void set_goals(json_t *object, const struct coverage *c)
{
	for (uint32_t i = 0; i < GOAL_CRITERIA; i++) {
		struct goals_count count = goals_count(&c->goals, i);

		json_object_set_new(object, goal_criterion_text(i),
				    json_pack("{s:I, s:I}", "one_order", (json_int_t)count.one,
					      "both_orders", (json_int_t)count.both));
	}
	json_object_set_new(object, "runs_measured", json_integer((json_int_t)c->measured));
	json_object_set_new(object, "runs", json_integer((json_int_t)c->runs));
	json_object_set_new(object, "cut", json_boolean(c->cut));
}

static json_t *cover_json(const struct coverage *c)
{
	json_t *object = json_object();

	for (uint32_t i = 0; i < GOAL_CRITERIA; i++)
		json_object_set_new(object, goal_criterion_text(i),
				    json_integer((json_int_t)c->cover.generated[i]));
	json_object_set_new(object, "in_vain", json_integer((json_int_t)c->cover.in_vain));
	json_object_set_new(object, "foreseen", json_integer((json_int_t)c->cover.foreseen));
	json_object_set_new(object, "dropped", json_integer((json_int_t)c->cover.dropped));
	json_object_set_new(object, "runs_with_drops",
			    json_integer((json_int_t)c->cover.with_drops));
	return object;
}

json_t *coverage_json(const struct coverage *c)
{
	json_t *object = json_object();

	set_goals(object, c);
	if (c->uses_cover)
		json_object_set_new(object, "generated", cover_json(c));

	if (c->uses_hapset)
		json_object_set_new(object, "hapset", hapset_json(c));
	return object;
}

static void hapset_text(const struct coverage *c, struct strbuf *out)
{
	struct hapset_missed riskiest[RISKIEST_SHOWN];
	uint32_t len = hapset_riskiest(&c->hapset, riskiest, RISKIEST_SHOWN);
	uint32_t missed = hapset_missed_len(&c->hapset);

	strbuf_addf(out,
		    "hapset: %zu pairs of statements covered (%" PRIu64 " from the file), %u raced "
		    "and were not seen the other way round\n",
		    c->hapset.pairs.len, c->hapset.read_len, missed);
	strbuf_adds(out, "  new pairs per 100 runs:");
	for (size_t i = 0; i < c->hapset.curve.len && i < CURVE_SHOWN; i++)
		strbuf_addf(out, " %u", c->hapset.curve.items[i]);
	strbuf_adds(out, c->hapset.curve.len > CURVE_SHOWN ? " …\n" : "\n");
	if (len)
		strbuf_adds(out, "  riskiest orders not seen:\n");
	for (uint32_t i = 0; i < len; i++)
		strbuf_addf(out,
			    "    %s\n      directly after %s (raced in %u run%s, tried %u time%s)\n",
			    statement_name(c, riskiest[i].pair >> 32),
			    statement_name(c, riskiest[i].pair & UINT32_MAX), riskiest[i].raced,
			    PLURAL(riskiest[i].raced), riskiest[i].tried, PLURAL(riskiest[i].tried));
}

static void cover_text(const struct coverage *c, struct strbuf *out)
{
	strbuf_adds(out, "coverage:");
	for (uint32_t i = 0; i < GOAL_CRITERIA; i++) {
		struct goals_count count = goals_count(&c->goals, i);

		strbuf_addf(out, "%s %s %" PRIu64 " pairs in both orders, %" PRIu64 " in one",
			    i ? ";" : "", goal_criterion_text(i), count.both, count.one);
	}
	strbuf_addf(out,
		    "\n  schedules generated: %" PRIu64 " for pr, %" PRIu64 " for pbr, %" PRIu64
		    " for pcr; %" PRIu64 " did not reach their goal, %" PRIu64
		    " more were not run because earlier runs show that they would not; decisions "
		    "dropped: %" PRIu64 "\n",
		    c->cover.generated[GOAL_PR], c->cover.generated[GOAL_PBR],
		    c->cover.generated[GOAL_PCR], c->cover.in_vain, c->cover.foreseen,
		    c->cover.dropped);
	if (c->cut)
		strbuf_addf(out, "  runs had more receives than the %d that are looked at\n",
			    RECEIVES_MAX);
}

void coverage_text(const struct coverage *c, struct strbuf *out)
{
	if (c->uses_cover)
		cover_text(c, out);
	if (c->uses_hapset)
		hapset_text(c, out);
}

uint64_t coverage_count(const struct coverage *c)
{
	uint64_t sum = 0;

	if (c->uses_hapset)
		return c->hapset.pairs.len;
	for (uint32_t i = 0; c->uses_cover && i < GOAL_CRITERIA; i++)
		sum += goals_count(&c->goals, i).both;
	return sum;
}

void coverage_line(const struct coverage *c, struct strbuf *out)
{
	if (c->uses_hapset)
		strbuf_addf(out, ", %" PRIu64 " pairs covered", coverage_count(c));
	else if (c->uses_cover)
		strbuf_addf(out, ", %" PRIu64 " pairs in both orders", coverage_count(c));
}

void coverage_release(struct coverage *c)
{
	hapset_release(&c->hapset);
	causality_release(&c->causality);
	receives_release(&c->receives);
	goals_release(&c->goals);
	goals_release(&c->sent);
}
