#include "fleet/link.h"

#include <errno.h>
#include <hiredis/hiredis.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"

/* A call to a server that is away waits for AWAY_SECONDS only, because a search may wait for the call. */
enum { CONNECT_SECONDS = 2, ANSWER_SECONDS = 5, AWAY_SECONDS = 1, PAUSE_MS = 200 };

struct link_word link_text(const char *text)
{
	return (struct link_word){text, strlen(text)};
}

struct link_word link_bytes(const struct strbuf *bytes)
{
	return (struct link_word){strbuf_text(bytes), bytes->len};
}

/* ---- away and back ---- */

static void note_away(struct link *link)
{
	struct link_notice *notice = link->notice;
	uint32_t here = 0;

	if (!link->is_quiet && atomic_compare_exchange_strong(&notice->is_away, &here, 1)) {
		atomic_store(&notice->since_ms, (uint64_t)(clock_seconds() * 1000));
		link->say("%s does not answer (%s): waiting", link->url->shown, link->why);
	}
	nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000l}, NULL);
}

static void note_back(struct link *link)
{
	struct link_notice *notice = link->notice;
	uint32_t away = 1;

	link->answered = clock_seconds();
	if (!link->is_quiet && atomic_load(&notice->is_away) &&
	    atomic_compare_exchange_strong(&notice->is_away, &away, 0))
		link->say("%s is back after %.1f seconds", link->url->shown,
			  clock_seconds() - (double)atomic_load(&notice->since_ms) / 1000);
}

/* ---- calls ---- */

void link_free(struct redisReply *reply)
{
	if (reply)
		freeReplyObject(reply);
}

void link_close(struct link *link)
{
	if (link->redis)
		redisFree(link->redis);
	link->redis = NULL;
}

static int answer_seconds(const struct link *link)
{
	return link->is_quiet || atomic_load(&link->notice->is_away) ? AWAY_SECONDS : ANSWER_SECONDS;
}

/* Replaces the words of hiredis by those for a user who may have given a wrong address. */
static void explain(struct link *link)
{
	const struct redisContext *redis = link->redis;
	bool is_io = redis->err == REDIS_ERR_IO;

	link->is_refused = redis->err == REDIS_ERR_PROTOCOL;
	if (redis->err == REDIS_ERR_PROTOCOL)
		snprintf(link->why, sizeof(link->why),
			 "the answer is not that of a Redis server; is it a port for TLS?");
	else if (!link->answered && (redis->err == REDIS_ERR_EOF || (is_io && errno == ECONNRESET)))
		snprintf(link->why, sizeof(link->why),
			 "the server closed the connection; is it a port for TLS?");
	else if (is_io && (errno == EAGAIN || errno == EWOULDBLOCK))
		snprintf(link->why, sizeof(link->why), "no answer within %d seconds",
			 answer_seconds(link));
	else
		snprintf(link->why, sizeof(link->why), "%s", redis->errstr);
}

/* Errors that a server sends while it starts or is full: it will let us in later. */
static bool is_passing(const char *error)
{
	static const char *const words[] = {"LOADING", "BUSY", "OOM", "MASTERDOWN", "MISCONF",
					    "TRYAGAIN", "CLUSTERDOWN", "READONLY"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strncmp(error, words[i], strlen(words[i])) == 0)
			return true;
	return strstr(error, "max number of clients") != NULL;
}

/* One try, without a word to the user. NULL: link->why. An error ends the connection only if the
 * server did not send it. */
static struct redisReply *ask(struct link *link, const struct link_word *words, size_t len)
{
	const char **argv = mem_alloc(len * sizeof(*argv));
	size_t *lens = mem_alloc(len * sizeof(*lens));
	struct redisReply *reply;

	for (size_t i = 0; i < len; i++) {
		argv[i] = words[i].at;
		lens[i] = words[i].len;
	}
	reply = redisCommandArgv(link->redis, (int)len, argv, lens);
	mem_free(argv);
	mem_free(lens);
	if (!reply) {
		explain(link);
		link_close(link);
	} else if (reply->type == REDIS_REPLY_ERROR) {
		snprintf(link->why, sizeof(link->why), "%s", reply->str);
		link->is_refused = !is_passing(reply->str);
		link_free(reply);
		reply = NULL;
	}
	return reply;
}

static bool log_in(struct link *link)
{
	const struct fleet_url *url = link->url;
	struct link_word words[3] = {link_text("AUTH")};
	struct redisReply *reply;
	size_t len = 1;

	if (url->user[0])
		words[len++] = link_text(url->user);
	words[len++] = link_text(url->password);
	if (!url->password[0])
		words[0] = link_text("PING");
	reply = ask(link, words, url->password[0] ? len : 1);
	if (!reply)
		link_close(link);
	link_free(reply);
	return reply != NULL;
}

static bool connect_to(struct link *link)
{
	if (link->redis)
		return true;
	link->redis = redisConnectWithTimeout(link->url->host, link->url->port,
					      (struct timeval){.tv_sec = link->is_quiet
									     ? AWAY_SECONDS
									     : CONNECT_SECONDS});
	if (!link->redis || link->redis->err) {
		snprintf(link->why, sizeof(link->why), "%s",
			 link->redis ? link->redis->errstr : strerror(ENOMEM));
		link_close(link);
		return false;
	}
	redisSetTimeout(link->redis, (struct timeval){.tv_sec = answer_seconds(link)});
	redisEnableKeepAlive(link->redis);
	return log_in(link);
}

struct redisReply *link_call(struct link *link, const struct link_word *words, size_t len)
{
	struct redisReply *reply = connect_to(link) ? ask(link, words, len) : NULL;

	if (reply)
		note_back(link);
	else
		note_away(link);
	return reply;
}

struct redisReply *link_run(struct link *link, const char *script, const struct link_word *words,
			    size_t keys_len, size_t len)
{
	struct link_word *all = mem_alloc((len + 3) * sizeof(*all));
	struct redisReply *reply;
	char number[24];

	snprintf(number, sizeof(number), "%zu", keys_len);
	all[0] = link_text("EVAL");
	all[1] = link_text(script);
	all[2] = link_text(number);
	memcpy(all + 3, words, len * sizeof(*all));
	reply = link_call(link, all, len + 3);
	mem_free(all);
	return reply;
}

bool link_check(struct link *link, struct err *err)
{
	struct redisReply *reply = NULL;
	char key[sizeof(link->url->name) + 16];

	snprintf(key, sizeof(key), "fermata:{%s}:", link->url->name);
	link->is_refused = false;
	if (connect_to(link))
		reply = ask(link, (struct link_word[]){link_text("EVAL"),
						       link_text("return redis.call('EXISTS', KEYS[1])"),
						       link_text("1"), link_text(key)}, 4);
	if (reply)
		note_back(link);
	link_free(reply);
	return reply || err_set(err, "%s cannot be used: %s", link->url->shown, link->why);
}
