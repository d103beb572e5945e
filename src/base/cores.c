#include "base/cores.h"

#include <sched.h>

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

void cores_pin(void)
{
	int cpu = sched_getcpu();

	if (cpu < 0 || sched_getaffinity(0, sizeof(cores_all), &cores_all) != 0)
		return;
	cores_own = cpu;
	pin_to(cpu);
}

void cores_pin_worker(uint32_t n)
{
	int cpu = cores_own;

	if (cpu < 0)
		return;
	for (n %= (uint32_t)CPU_COUNT(&cores_all); n > 0; n--)
		do
			cpu = (cpu + 1) % CPU_SETSIZE;
		while (!CPU_ISSET(cpu, &cores_all));
	pin_to(cpu);
}
