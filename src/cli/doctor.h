/* doctor.h: the subcommand `fermata doctor`: checks the machine and prints which parts of the tool
 * work on it and which fall back to a slower way. */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

int cli_doctor(int argc, char **argv);

#endif
