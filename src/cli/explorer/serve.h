/* serve.h: a small HTTP server on the loopback interface, for one reader on this machine.
 *
 *	serve_open(&serve, 0, &err);
 *	printf("http://127.0.0.1:%u/%s/\n", serve.port, serve.token);
 *	serve_run(&serve, answer, ctx, &stop, &err);
 *	serve_close(&serve);
 *
 * Every address begins with a random token; other addresses do not exist, so that another user or a
 * web page that guesses the port gets nothing. The Host header must name the loopback interface:
 * the name of a foreign host that resolves to 127.0.0.1 is refused. Requests are answered one at a
 * time, in the order in which they are complete; a connection that sends nothing does not delay the
 * others. Each connection has one request.
 */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

enum { SERVE_TOKEN = 33 };

struct serve {
	int fd;
	uint16_t port;
	char token[SERVE_TOKEN];
};

struct serve_request {
	bool is_post;
	const char *name; /* behind the token: "" for the page */
	const char *body; /* of a POST */
};

struct serve_reply {
	int status; /* 200 */
	const char *type; /* "application/json" */
	struct strbuf body;
};

typedef void serve_answer(void *ctx, const struct serve_request *request,
			  struct serve_reply *reply);

/* Port 0: any free one. False with err. */
bool serve_open(struct serve *serve, uint16_t port, struct err *err);

/* Until *stop is not 0. False with err. */
bool serve_run(struct serve *serve, serve_answer *answer, void *ctx,
	       const volatile sig_atomic_t *stop, struct err *err);

void serve_close(struct serve *serve);

#endif
