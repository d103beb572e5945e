/* files.h: the files of the tested program, on the worker's side.
 *
 * The record of a job lists them: {"files": [{"place": "pa0/queue.beam", "sha256": "…"}]}. Each is
 * fetched once and kept under its hash; a job has a folder with links to its files, in which each
 * has the name of its *place*. A file whose content does not have the hash is refused: the record
 * is sealed, so the hash is the one that the coordinator computed.
 *
 *     FOLDER/files/9f86d0…                the content
 *     FOLDER/jobs/4be1…/pa0/queue.beam    a link to it
 */
#ifndef FLEET_FILES_H
#define FLEET_FILES_H

#include <jansson.h>

#include "fleet/job.h"
#include "fleet/link.h"

enum files_answer {
	FILES_READY,
	FILES_LATER,   /* the server does not answer, or does not have a file (yet) */
	FILES_REFUSED, /* with err */
};

/* Fills the folder of the job, whose path is added to `path`. */
enum files_answer files_fetch(struct link *link, const struct job *job, const json_t *record,
			      const char *folder, struct strbuf *path, struct err *err);

/* Removes the folder of the job. */
void files_remove(const char *path);

#endif
