/* beam_run.h: the subcommand `fermata beam run`. argv[0] is the subcommand word. */
#ifndef CLI_BEAM_RUN_H
#define CLI_BEAM_RUN_H

int cli_beam_run(int argc, char **argv);

#endif
