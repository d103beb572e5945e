/* run.h: the subcommand `fermata run`: all tests of a fermata.toml (runfile.h), one report. argv[0] is
 * the word "run". */
#ifndef CLI_RUN_H
#define CLI_RUN_H

int cli_run(int argc, char **argv);

#endif
