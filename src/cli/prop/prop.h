/* prop.h: the subcommand `fermata prop`. argv[0] is the word "prop". */
#ifndef CLI_PROP_H
#define CLI_PROP_H

int cli_prop(int argc, char **argv);

#endif
