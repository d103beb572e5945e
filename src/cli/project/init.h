/* init.h: the subcommand `fermata init`: writes a first fermata.toml. It has the tests that CMake,
 * Meson, rebar3 and mix files in the current folder name, and programs that the compiler wrapper
 * has built. argv[0] is the word "init". */
#ifndef CLI_INIT_H
#define CLI_INIT_H

int cli_init(int argc, char **argv);

#endif
