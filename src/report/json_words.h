/* json_words.h: the values that JSON and SARIF documents are made of. Each function returns a new
 * value. Texts that are not UTF-8 (a file name, a message with stray bytes) are repaired,
 * because a report that cannot be parsed is worse than one with a wrong character. */
#ifndef REPORT_JSON_WORDS_H
#define REPORT_JSON_WORDS_H

#include "report/report.h"

json_t *json_words_text(const char *text); /* NULL becomes null */
/* The last `max` of these bytes as text; bytes that are not printable ASCII or UTF-8 become "?". */
json_t *json_words_bytes(const char *bytes, size_t len, size_t max);
json_t *json_words_list(const char *const *texts, uint32_t len);
json_t *json_words_hex(uint64_t number);
json_t *json_words_step(uint32_t step); /* null for REPORT_NO_STEP and REPORT_BETWEEN */
json_t *json_words_frame(const struct report_frame *frame);

/* Appends the value, indented and with a newline, and releases it. */
void json_words_write(json_t *root, struct strbuf *out);

#endif
