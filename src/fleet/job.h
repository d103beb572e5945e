/* job.h: the texts of a fleet and the keys under which Redis keeps them.
 *
 *     fermata:{NAME}:owner     the search that uses the name; a lease of the coordinator
 *     fermata:{NAME}:job       id, epoch, record, state and seal of that search; or that it is over
 *     fermata:{NAME}:file:…    a file of the program, under its SHA-256
 *     fermata:{NAME}:parts     stream: parts to explore; consumer group `workers`
 *     fermata:{NAME}:workers   sorted set: workers, by the second in which they were seen last
 *     fermata:{NAME}:hurry     set: parts that the coordinator waits for
 *     fermata:{NAME}:tries     hash: how often each part was begun with
 *     fermata:{NAME}:answer:…  list: the answer to a part
 *
 * Every key expires: the process that writes a key gives it JOB_KEEP_SECONDS, and the coordinator
 * renews them as long as it lives. So nothing stays if it is killed, or if the server is away when
 * the search ends.
 *
 * The *record* is JSON and stays the same: the program with the hash of each of its files, and the
 * machine of the coordinator. The *state* (explore/jobs_state.h) is another one after each restart
 * of the search; its number is the *epoch*. Parts of another epoch mean nothing.
 */
#ifndef FLEET_JOB_H
#define FLEET_JOB_H

#include <stdint.h>

#include "fleet/seal.h"
#include "fleet/url.h"

enum { JOB_KEY_MAX = 256, JOB_ID_HEX = 32 }; /* of a search and of a part */

#define JOB_KEEP_SECONDS "3600"

/* The first character of an answer, before its seal. */
enum { ANSWER_RESULT = 'R', ANSWER_DEADLY = 'D' }; /* D: the part has killed several workers */

struct job {
	char id[JOB_ID_HEX + 1];
	uint32_t epoch;
	struct strbuf record, state;
};

/* A name that no other process has. */
void job_make_id(char id[JOB_ID_HEX + 1]);

void job_key(const struct fleet_url *url, const char *what, const char *which,
	     char key[JOB_KEY_MAX]);

/* `name` is that of the part, at random. */
void job_seal(const struct secret *secret, const struct job *job, char seal[SEAL_HEX + 1]);
void job_seal_part(const struct secret *secret, const struct job *job, const char *name,
		   struct bytes_in text, char seal[SEAL_HEX + 1]);
void job_seal_answer(const struct secret *secret, const struct job *job, const char *name,
		     struct bytes_in text, char seal[SEAL_HEX + 1]);

void job_release(struct job *job);

#endif
