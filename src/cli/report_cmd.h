/* report_cmd.h: the subcommand `fermata report`: saved findings in another form. */
#ifndef CLI_REPORT_CMD_H
#define CLI_REPORT_CMD_H

int cli_report(int argc, char **argv);

#endif
