/* url.h: the address of a fleet: redis://[[USER]:PASSWORD@]HOST[:PORT]/NAME
 *
 * The part before the last slash is that of Redis clients, with %XX for other characters. NAME is
 * the name of the search, so that one server can serve several.
 */
#ifndef FLEET_URL_H
#define FLEET_URL_H

#include "base/err.h"

struct fleet_url {
	char host[256], user[128], password[512], name[65];
	int port;
	char shown[512]; /* without the password, for messages */
};

bool fleet_url_parse(struct fleet_url *url, const char *text, struct err *err);

#endif
