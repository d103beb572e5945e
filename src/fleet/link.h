/* link.h: the connection to the Redis server, which may be away for a while.
 *
 * The server may be down, restarted, full or slow, and the network may be cut, for minutes. None of
 * that ends a search or a worker. So link_call() tries once; if there is no answer it has waited a
 * moment and returns NULL, and the caller looks at its other duties before it tries again. A call
 * may have been carried out although its answer was lost: every call of ours can be repeated.
 *
 * The user reads one line when the server is away, and one when it is back. Several processes of
 * one coordinator share the notice (struct link_notice), so that only one of them prints it.
 */
#ifndef FLEET_LINK_H
#define FLEET_LINK_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "fleet/url.h"

struct redisContext;
struct redisReply;

struct link_notice {
	_Atomic uint32_t is_away;
	_Atomic uint64_t since_ms;
};

/* Prints a line on stderr. */
typedef void link_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct link {
	const struct fleet_url *url;
	struct link_notice *notice;
	link_say *say;
	struct redisContext *redis; /* NULL: not connected */
	char why[256];              /* the last call had no answer */
	bool is_refused;            /* because the server does not let us in, today and tomorrow */
	bool is_quiet;              /* prints nothing, and waits for an answer for a second */
	double answered;            /* when the last answer came; 0: none yet */
};

/* A word of a command: any bytes. */
struct link_word {
	const char *at;
	size_t len;
};

/* A word that ends with a NUL character, and one of a strbuf. */
struct link_word link_text(const char *text);
struct link_word link_bytes(const struct strbuf *bytes);

/* The answer, which the caller frees with link_free(); never an error. NULL: none now, try later. */
struct redisReply *link_call(struct link *link, const struct link_word *words, size_t len);
void link_free(struct redisReply *reply);

/* Runs a script (scripts.h) with `keys_len` keys and then arguments in `words`. */
struct redisReply *link_run(struct link *link, const char *script, const struct link_word *words,
			    size_t keys_len, size_t len);

/* Can the server be reached, does it accept the password, and may we run scripts with our keys? False
 * with err. */
bool link_check(struct link *link, struct err *err);

void link_close(struct link *link);

#endif
