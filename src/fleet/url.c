#include "fleet/url.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REDIS_PORT = 6379 };

/* Copies `len` characters with %XX decoded. False if they do not fit, or a %XX is wrong. */
static bool decode(const char *from, size_t len, char *to, size_t to_size)
{
	const char *end = from + len;
	size_t at = 0;

	while (from < end && at + 1 < to_size) {
		char hex[3] = {0};

		if (*from != '%') {
			to[at++] = *from++;
			continue;
		}
		if (end - from < 3 || !isxdigit((unsigned char)from[1]) ||
		    !isxdigit((unsigned char)from[2]))
			return false;
		memcpy(hex, from + 1, 2);
		to[at++] = (char)strtol(hex, NULL, 16);
		from += 3;
	}
	to[at] = '\0';
	return from == end;
}

static bool parse_user(struct fleet_url *url, const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len);
	size_t user_len = colon ? (size_t)(colon - text) : len;

	if (!colon) /* redis://password@host, as some clients write it */
		return decode(text, len, url->password, sizeof(url->password));
	return decode(text, user_len, url->user, sizeof(url->user)) &&
	       decode(colon + 1, len - user_len - 1, url->password, sizeof(url->password));
}

/* HOST, HOST:PORT, [IPv6] or [IPv6]:PORT. */
static bool parse_host(struct fleet_url *url, const char *text, size_t len)
{
	bool is_bracketed = len && text[0] == '[';
	const char *close = is_bracketed ? memchr(text, ']', len) : NULL;
	const char *host = text + is_bracketed, *rest;
	size_t host_len;
	char *end;

	if (is_bracketed && !close)
		return false;
	rest = is_bracketed ? close + 1 : memchr(text, ':', len);
	if (!rest)
		rest = text + len;
	host_len = (size_t)((is_bracketed ? close : rest) - host);
	if (!host_len || !decode(host, host_len, url->host, sizeof(url->host)))
		return false;
	url->port = REDIS_PORT;
	if (rest == text + len)
		return true;
	url->port = *rest == ':' ? (int)strtol(rest + 1, &end, 10) : 0;
	return *rest == ':' && end == text + len && url->port > 0 && url->port < 65536;
}

static bool is_name(const char *text)
{
	return text[0] && strlen(text) < sizeof(((struct fleet_url *)0)->name) &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
		       strlen(text);
}

bool fleet_url_parse(struct fleet_url *url, const char *text, struct err *err)
{
	static const char scheme[] = "redis://";
	const char *host, *slash, *at = NULL;

	*url = (struct fleet_url){0};
	if (strncmp(text, "rediss://", 9) == 0)
		return err_set(err, "--fleet: rediss:// needs a hiredis with TLS, which this build does "
				    "not have; use stunnel or ssh -L in front of the server");
	if (strncmp(text, scheme, strlen(scheme)) != 0)
		return err_set(err, "--fleet takes redis://[USER:PASSWORD@]HOST[:PORT]/NAME");
	host = text + strlen(scheme);
	slash = strchr(host, '/');
	if (!slash || !is_name(slash + 1))
		return err_set(err, "--fleet: the address must end in /NAME, of letters, digits, '.', "
				    "'_' and '-': redis://HOST/NAME");
	for (const char *c = host; c < slash; c++)
		if (*c == '@')
			at = c;
	if ((at && !parse_user(url, host, (size_t)(at - host))) ||
	    !parse_host(url, at ? at + 1 : host, (size_t)(slash - (at ? at + 1 : host))))
		return err_set(err, "--fleet: the user, password, host or port of the address is not "
				    "valid: redis://[USER:PASSWORD@]HOST[:PORT]/NAME, with an IPv6 address "
				    "in brackets");
	snprintf(url->name, sizeof(url->name), "%s", slash + 1);
	snprintf(url->shown, sizeof(url->shown), strchr(url->host, ':') ? "redis://[%s]:%d/%s"
								       : "redis://%s:%d/%s",
		 url->host, url->port, url->name);
	return true;
}
