#include "base/cores.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

/* The cores that the process could use before it was pinned, and the one it was pinned to. */
static cpu_set_t cores_all;
static int cores_own = -1;

static void pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static int next_core(int cpu)
{
	do
		cpu = (cpu + 1) % CPU_SETSIZE;
	while (!CPU_ISSET(cpu, &cores_all));
	return cpu;
}

/* Locks the folder of the core, until this process and its children have ended. */
static bool claim(int cpu)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d", cpu);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (fd >= 0)
		close(fd);
	return false;
}

void cores_pin(void)
{
	int here = sched_getcpu(), cpu = here;

	if (here < 0 || sched_getaffinity(0, sizeof(cores_all), &cores_all) != 0 ||
	    !CPU_ISSET(here, &cores_all))
		return;
	while (!claim(cpu)) {
		cpu = next_core(cpu);
		if (cpu == here)
			break; /* all are claimed, or they cannot be */
	}
	cores_own = cpu;
	pin_to(cpu);
}

void cores_pin_worker(uint32_t n)
{
	int cpu = cores_own;

	if (cpu < 0)
		return;
	for (n %= (uint32_t)CPU_COUNT(&cores_all); n > 0; n--)
		cpu = next_core(cpu);
	pin_to(cpu);
}
