/* report_cmd.h: the subcommand `fermata report`: prints saved findings in one of the
 * forms of report/report.h. */
#ifndef CLI_REPORT_CMD_H
#define CLI_REPORT_CMD_H

int cli_report(int argc, char **argv);

#endif
