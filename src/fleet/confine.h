/* confine.h: the limits that the operator of a worker sets for the programs that it
 * runs. */
#ifndef FLEET_CONFINE_H
#define FLEET_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "fleet/link.h"

/* For this process and its children. It ends with `parent`. Without a network there is only a
 * loopback of its own; if the system does not allow that, a line says so. */
void confine(pid_t parent, bool has_network, link_say *say);

/* Bytes of memory that a process and its descendants use. Limits of the system (ulimit) would count
 * addresses that a program under control only reserves. */
uint64_t confine_used(pid_t pid);

#endif
