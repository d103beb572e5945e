/* version.h: `fermata --version`: the version, then facts about the build that a bug report needs. The
 * first line is "fermata VERSION", for scripts. No fact depends on when or where the tool was built. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#include <stdio.h>

void version_print(FILE *out);

#endif
