/* file.h: writes files so that nobody ever sees half of one, and reads regular files only.
 *
 * The content goes to a file without a name (or, where the file system cannot do that, to a hidden
 * file beside the wanted one), which is renamed when it is complete. So a kill or a full disk at
 * any moment leaves either the old file, or the new one, or none.
 *
 * Linux cannot give a nameless file the name of a file that exists. To replace one, the new file is
 * called .NAME.fermata-PID for the moment between linkat() and rename(). A kill in that moment
 * leaves a complete file of that name. Its writer held a lock on it, so the next file_write() into
 * the folder sees that the writer is gone, and removes the file.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/strbuf.h"

/* The path without its folders. */
static inline const char *file_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Is it a header of the system or of the C++ library, so not a file of the program itself? */
static inline bool file_is_of_library(const char *path)
{
	return strstr(path, "/usr/include/") || strstr(path, "/usr/lib/") ||
	       strstr(path, "/include/c++/");
}

/* Replaces the file, or creates it; a file that has this content already is left alone. A path that
 * is not a regular file (a device, a pipe) is written in place. False with err; the file is then as
 * it was. */
bool file_write(const char *path, const char *content, size_t len, struct err *err);

/* Can file_write() be expected to work? False with err. Creates nothing. */
bool file_check_writable(const char *path, struct err *err);

/* Appends the content of a regular file. False with err, without waiting, if the path is a named
 * pipe, a device or a folder: a pipe without a writer would block for ever. */
bool file_read(const char *path, struct strbuf *out, struct err *err);

#endif
