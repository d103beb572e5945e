/* worker_cmd.h: `fermata worker`: explores parts of searches of other machines. */
#ifndef CLI_FLEET_WORKER_CMD_H
#define CLI_FLEET_WORKER_CMD_H

int cli_worker(int argc, char **argv);

#endif
