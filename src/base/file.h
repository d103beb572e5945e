/* file.h: writing files so that nobody ever sees half of one.
 *
 * The content goes to a file without a name (or, where the file system cannot do that, to a hidden
 * file beside the wanted one), which is renamed when it is complete. So a kill or a full disk at
 * any moment leaves either the old file, or the new one, or none.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Replaces the file, or creates it. A path that is not a regular file (a device, a pipe) is written
 * in place. False with err; the file is then as it was. */
bool file_write(const char *path, const char *content, size_t len, struct err *err);

/* Can file_write() be expected to work? False with err. Creates nothing. */
bool file_check_writable(const char *path, struct err *err);

#endif
