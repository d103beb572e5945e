/* collect.h: from paths on the command line to .beam files, sorted, so that the order of a
 * report does not depend on the file system. */
#ifndef STATIC_COLLECT_H
#define STATIC_COLLECT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

VEC_TYPE(path_vec, const char *);

/* Adds path itself, or the .beam files below it when it is a folder. Texts live in the
 * arena. Fails when path does not exist or holds no .beam file. */
bool collect_beam_files(struct arena *arena, const char *path, struct path_vec *out,
			struct err *err);

#endif
