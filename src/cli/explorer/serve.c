#include "cli/explorer/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"

enum { CLIENTS = 32, HEAD_MAX = 16384, BODY_MAX = 1 << 20, IDLE_SECONDS = 30, POLL_MS = 500 };

struct client {
	int fd; /* -1: free */
	double since;
	struct strbuf text;
};

/* ---- opening ---- */

static bool make_token(struct serve *s, struct err *err)
{
	unsigned char bytes[SERVE_TOKEN / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return err_set_errno(err, "cannot get random numbers");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(s->token + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

bool serve_open(struct serve *s, uint16_t port, struct err *err)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int one = 1;

	*s = (struct serve){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
	if (s->fd < 0)
		return err_set_errno(err, "cannot make a socket");
	setsockopt(s->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(s->fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(s->fd, 16) != 0 || getsockname(s->fd, (struct sockaddr *)&address, &len) != 0) {
		err_set_errno(err, "cannot listen on port %u of the loopback interface", port);
		serve_close(s);
		return false;
	}
	s->port = ntohs(address.sin_port);
	return make_token(s, err);
}

void serve_close(struct serve *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* ---- one request ---- */

/* The value of a header, up to the end of its line, or NULL. A line of the body that
 * looks like it is not a header. */
static const char *find_header(const char *text, const char *name)
{
	const char *end = strstr(text, "\r\n\r\n");
	size_t len = strlen(name);

	for (const char *line = strchr(text, '\n'); line && line < end; line = strchr(line + 1, '\n'))
		if (strncasecmp(line + 1, name, len) == 0 && line[1 + len] == ':')
			return line + 2 + len + strspn(line + 2 + len, " ");
	return NULL;
}

static bool is_for_us(const struct serve *s, const char *host)
{
	char names[2][32];

	snprintf(names[0], sizeof(names[0]), "127.0.0.1:%u\r", s->port);
	snprintf(names[1], sizeof(names[1]), "localhost:%u\r", s->port);
	return host && (strncmp(host, names[0], strlen(names[0])) == 0 ||
			strncmp(host, names[1], strlen(names[1])) == 0);
}

static size_t body_length(const char *request)
{
	const char *text = find_header(request, "Content-Length");

	return text ? strtoul(text, NULL, 10) : 0;
}

/* Has all of the request come? Too long a request is answered as it is. */
static bool is_complete(const struct client *c)
{
	const char *text = strbuf_text(&c->text), *end = strstr(text, "\r\n\r\n");
	size_t head = end ? (size_t)(end - text) + 4 : 0;

	if (!end)
		return c->text.len > HEAD_MAX;
	return body_length(text) > BODY_MAX || c->text.len - head >= body_length(text);
}

static void refuse(struct serve_reply *reply, int status, const char *text)
{
	reply->status = status;
	reply->type = "text/plain; charset=utf-8";
	strbuf_adds(&reply->body, text);
}

/* The part of the path behind /TOKEN/; NULL if the path is another one. The text is cut there. */
static const char *find_name(const struct serve *s, char *text)
{
	char *path = strchr(text, ' '), *end = path ? strpbrk(path + 1, " ?\r\n") : NULL;
	size_t len = strlen(s->token);

	if (!end || path[1] != '/' || strncmp(path + 2, s->token, len) != 0 || path[2 + len] != '/')
		return NULL;
	*end = '\0';
	return path + 3 + len;
}

static void answer_client(struct serve *s, struct client *c, serve_answer *answer, void *ctx,
			  struct serve_reply *reply)
{
	char *text = c->text.text ? c->text.text : "";
	const char *end = strstr(text, "\r\n\r\n");
	struct serve_request request = {.is_post = strncmp(text, "POST ", 5) == 0};

	if (!end || body_length(text) > BODY_MAX) {
		refuse(reply, 413, "the request is too long\n");
	} else if (!is_for_us(s, find_header(text, "Host"))) {
		refuse(reply, 403, "this server is for the loopback interface only\n");
	} else if (!request.is_post && strncmp(text, "GET ", 4) != 0) {
		refuse(reply, 405, "only GET and POST are known here\n");
	} else {
		request.body = end + 4;
		request.name = find_name(s, text);
		if (request.name)
			answer(ctx, &request, reply);
		else
			refuse(reply, 404, "there is nothing here: the address has a token\n");
	}
}

static void send_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t sent = send(fd, text, len, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return; /* the reader has gone */
		text += sent;
		len -= (size_t)sent;
	}
}

static void send_reply(int fd, const struct serve_reply *reply)
{
	struct strbuf head = {0};

	strbuf_addf(&head,
		    "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
		    "Connection: close\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
		    "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
		    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; "
		    "style-src 'unsafe-inline'; connect-src 'self'; img-src data:\r\n\r\n",
		    reply->status, reply->status == 200 ? "OK" : "Refused", reply->type,
		    reply->body.len);
	send_all(fd, strbuf_text(&head), head.len);
	send_all(fd, strbuf_text(&reply->body), reply->body.len);
	strbuf_release(&head);
}

/* ---- the connections ---- */

static void drop(struct client *c)
{
	close(c->fd);
	c->fd = -1;
	strbuf_release(&c->text);
	c->text = (struct strbuf){0};
}

static void take_client(struct serve *s, struct client clients[CLIENTS])
{
	struct timeval limit = {.tv_sec = 5};
	int fd = accept(s->fd, NULL, NULL);
	struct client *oldest = &clients[0];

	if (fd < 0)
		return;
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	for (size_t i = 0; i < CLIENTS && oldest->fd >= 0; i++)
		if (clients[i].fd < 0 || clients[i].since < oldest->since)
			oldest = &clients[i];
	if (oldest->fd >= 0)
		drop(oldest);
	*oldest = (struct client){.fd = fd, .since = clock_seconds()};
}

static void read_client(struct serve *s, struct client *c, serve_answer *answer, void *ctx)
{
	struct serve_reply reply = {.status = 200, .type = "application/json"};
	char bytes[8192];
	ssize_t len = recv(c->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (len <= 0) {
		drop(c);
		return;
	}
	strbuf_add(&c->text, bytes, (size_t)len);
	if (!is_complete(c))
		return;
	answer_client(s, c, answer, ctx, &reply);
	send_reply(c->fd, &reply);
	strbuf_release(&reply.body);
	drop(c);
}

bool serve_run(struct serve *s, serve_answer *answer, void *ctx, const volatile sig_atomic_t *stop,
	       struct err *err)
{
	struct client clients[CLIENTS];
	struct pollfd polled[CLIENTS + 1];
	bool ok = true;

	for (size_t i = 0; i < CLIENTS; i++)
		clients[i] = (struct client){.fd = -1};
	while (ok && !*stop) {
		polled[CLIENTS] = (struct pollfd){.fd = s->fd, .events = POLLIN};
		for (size_t i = 0; i < CLIENTS; i++)
			polled[i] = (struct pollfd){.fd = clients[i].fd, .events = POLLIN};
		if (poll(polled, CLIENTS + 1, POLL_MS) < 0) {
			ok = errno == EINTR || err_set_errno(err, "cannot wait for requests");
			continue;
		}
		for (size_t i = 0; i < CLIENTS; i++) {
			if (clients[i].fd < 0)
				continue;
			if (polled[i].revents)
				read_client(s, &clients[i], answer, ctx);
			else if (clock_seconds() - clients[i].since > IDLE_SECONDS)
				drop(&clients[i]);
		}
		if (polled[CLIENTS].revents)
			take_client(s, clients);
	}
	for (size_t i = 0; i < CLIENTS; i++)
		if (clients[i].fd >= 0)
			drop(&clients[i]);
	return ok;
}
