/* cc.h: the subcommands `fermata cc` and `fermata c++`, and the programs fermata-cc and
 * fermata-c++, which do the same under a name that build systems accept as CC= and CXX=. */
#ifndef CLI_CC_H
#define CLI_CC_H

#include <stdbool.h>

/* argv[0] is the name of the command; returns the exit status. */
int cli_cc(int argc, char **argv, bool cxx);

#endif
