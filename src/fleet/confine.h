/* confine.h: what the operator of a worker allows the programs that it runs. */
#ifndef FLEET_CONFINE_H
#define FLEET_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "fleet/link.h"

/* For this process and its children. It ends with `parent`. `memory`: bytes of private data that
 * each process may have (0: no limit). Without a network there is only a loopback of its own; if the
 * system does not allow that, a line says so. */
void confine(pid_t parent, uint64_t memory, bool has_network, link_say *say);

#endif
