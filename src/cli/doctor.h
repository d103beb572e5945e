/* doctor.h: the subcommand `fermata doctor`: what this machine has, what works, what
 * falls back. */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

int cli_doctor(int argc, char **argv);

#endif
