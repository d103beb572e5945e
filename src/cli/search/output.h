/* output.h: writes a report to a file, or to stdout if the path is "-". */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/err.h"
#include "base/strbuf.h"

/* False with err. A file is replaced as a whole (base/file.h). */
bool output_write(const char *path, const struct strbuf *text, struct err *err);

#endif
