/* replay.h: the subcommand `fermata replay`. argv[0] is the word "replay". */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

int cli_replay(int argc, char **argv);

#endif
