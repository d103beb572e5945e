/* findings.h: the subcommand `fermata findings`: lists, shows, marks and removes saved findings. argv[0]
 * is the word "findings". */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

int cli_findings(int argc, char **argv);

#endif
