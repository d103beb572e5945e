/* sarif_words.h: the pieces that a SARIF 2.1.0 document is made of, shared by the reports of
 * dynamic findings (sarif.c) and of static suspects (static/report_sarif.c). Each function returns
 * a new value. */
#ifndef REPORT_SARIF_WORDS_H
#define REPORT_SARIF_WORDS_H

#include "report/report.h"

json_t *sarif_message(const char *text);

/* A location: file and line (if the frame has a file), function (if it has one), and the message
 * if it is not NULL. */
json_t *sarif_location(const struct report_frame *frame, const char *message);

/* One rule. `help` may be NULL. */
json_t *sarif_rule(const char *id, const char *description, const char *help);

/* {"fermata/v1": "0123456789abcdef"}, as partialFingerprints want it. */
json_t *sarif_fingerprint(const char *key, uint64_t fingerprint);

/* In all locations of the value: files in the folder `root` (absolute, the one from which relative
 * names start) get references relative to it. Returns the originalUriBaseIds that say so. */
json_t *sarif_make_relative(json_t *value, const char *root);

/* Appends the document with one run of the tool. Takes rules, results and `more`, further members
 * of the run, which may be NULL. */
void sarif_write(const char *tool, json_t *rules, json_t *results, json_t *more,
		 struct strbuf *out);

#endif
