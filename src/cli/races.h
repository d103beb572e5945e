/* races.h: the subcommand "races". argv[0] is that word; returns the exit status. */
#ifndef CLI_RACES_H
#define CLI_RACES_H

int cli_races(int argc, char **argv);

#endif
