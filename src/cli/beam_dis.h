/* beam_dis.h: the subcommand "beam dis". argv[0] is the word "dis"; returns the exit status. */
#ifndef CLI_BEAM_DIS_H
#define CLI_BEAM_DIS_H

int cli_beam_dis(int argc, char **argv);

#endif
