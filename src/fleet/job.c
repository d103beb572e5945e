#include "fleet/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

void job_make_id(char id[JOB_ID_HEX + 1])
{
	uint64_t random[2];

	while (getrandom(random, sizeof(random), 0) != sizeof(random))
		;
	snprintf(id, JOB_ID_HEX + 1, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
}

void job_key(const struct fleet_url *url, const char *what, const char *which,
	     char key[JOB_KEY_MAX])
{
	snprintf(key, JOB_KEY_MAX, "fermata:{%s}:%s%s%s", url->name, what, which ? ":" : "",
		 which ? which : "");
}

static struct seal_field of_text(const char *text)
{
	return (struct seal_field){text, strlen(text)};
}

static struct seal_field of_bytes(const struct strbuf *bytes)
{
	return (struct seal_field){strbuf_text(bytes), bytes->len};
}

void job_seal(const struct secret *secret, const struct job *job, char seal[SEAL_HEX + 1])
{
	struct seal_field fields[] = {of_text(job->id), {&job->epoch, sizeof(job->epoch)},
				      of_bytes(&job->record), of_bytes(&job->state)};

	seal_make(secret, "job", fields, 4, seal);
}

/* The record stands for the program: it has the hash of each file. */
static void seal_text(const struct secret *secret, const char *kind, const struct job *job,
		      const char *name, struct bytes_in text, char seal[SEAL_HEX + 1])
{
	struct seal_field fields[] = {of_text(job->id), {&job->epoch, sizeof(job->epoch)},
				      of_bytes(&job->record), of_text(name),
				      {text.at, text.len}};

	seal_make(secret, kind, fields, 5, seal);
}

void job_seal_part(const struct secret *secret, const struct job *job, const char *name,
		   struct bytes_in text, char seal[SEAL_HEX + 1])
{
	seal_text(secret, "part", job, name, text, seal);
}

void job_seal_answer(const struct secret *secret, const struct job *job, const char *name,
		     struct bytes_in text, char seal[SEAL_HEX + 1])
{
	seal_text(secret, "answer", job, name, text, seal);
}

void job_release(struct job *job)
{
	strbuf_release(&job->record);
	strbuf_release(&job->state);
}
