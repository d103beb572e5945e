/* test.h: the subcommand `fermata test`. argv[0] is the word "test". */
#ifndef CLI_TEST_H
#define CLI_TEST_H

int cli_test(int argc, char **argv);

#endif
