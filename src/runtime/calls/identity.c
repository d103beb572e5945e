#include "runtime/calls/identity.h"

#include <errno.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/rng.h"
#include "runtime/calls/effects.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

enum {
	CHILDREN = 64,           /* of a thread with numbers in order */
	NUMBERS = 1 << 28,       /* how many there are */
	NUMBERS_IN_ORDER = NUMBERS / CHILDREN - CHILDREN,
};

/* The number of an actor from that of its parent. Deep trees have numbers that look random. */
static uint32_t child_number(uint32_t parent, uint32_t nth)
{
	if (nth < CHILDREN && parent < NUMBERS_IN_ORDER)
		return parent * CHILDREN + nth;
	return NUMBERS / 2 + (uint32_t)(rng_mix((uint64_t)parent << 32 | nth) % (NUMBERS / 2));
}

static uint32_t place_number(uint32_t index)
{
	const struct actor *actors = channel_at(RT->channel, RT->channel->actors);

	if (actors[index].parent == ACTOR_NONE)
		return 0;
	return child_number(place_number(actors[index].parent), actors[index].nth);
}

int rt_thread_number(const struct rt_actor *actor)
{
	return RT_PID + (int)place_number(actor->index);
}

struct rt_actor *rt_thread_numbered(int number)
{
	for (uint32_t i = 0; i < RT->actors_high; i++) {
		struct rt_actor *actor = &RT->actors[i];

		if (actor->state != RT_FREE && !actor->owner && rt_thread_number(actor) == number)
			return actor;
	}
	return NULL;
}

long rt_kernel_number(long number)
{
	if (number == RT_PARENT_PID)
		return rt_syscall(SYS_getppid, 0, 0, 0);
	if (number >= RT_PID && number < (long)RT_PID + NUMBERS)
		return rt_syscall(SYS_getpid, 0, 0, 0);
	return number;
}

static bool is_own(pid_t pid)
{
	return pid == 0 || pid == RT_PID;
}

INTERCEPT(pid_t, getpid, (void))
{
	return rt_active() ? RT_PID : REAL(getpid)();
}

/* A child that compares its parent with the number which that had before fork(). */
int rt_parent_apart(void)
{
	return rt_present && RT->phase == RT_PASSIVE ? RT->apart_from : 0;
}

INTERCEPT(pid_t, getppid, (void))
{
	pid_t parent = rt_active() ? RT_PARENT_PID : REAL(getppid)();

	return parent && parent == rt_parent_apart() ? RT_PID : parent;
}

INTERCEPT(pid_t, gettid, (void))
{
	return rt_active() ? rt_thread_number(rt_self()) : REAL(gettid)();
}

/* The program is the first process of its group, and its parent that of the session. */
INTERCEPT(pid_t, getpgrp, (void))
{
	return rt_active() ? RT_PID : REAL(getpgrp)();
}

INTERCEPT(pid_t, getpgid, (pid_t pid))
{
	return rt_active() && is_own(pid) ? RT_PID : REAL(getpgid)(pid);
}

INTERCEPT(pid_t, getsid, (pid_t pid))
{
	return rt_active() && is_own(pid) ? RT_PARENT_PID : REAL(getsid)(pid);
}

/* The kernel's random bytes have been replaced by bytes from the seed (init.c). */
INTERCEPT(unsigned long, getauxval, (unsigned long type))
{
	if (rt_active() && type == AT_RANDOM)
		rt_assume(ASSUMED_CHANCE);
	return REAL(getauxval)(type);
}

/* How much memory is free changes all the time. */
INTERCEPT(long, sysconf, (int name))
{
	if (rt_active() && name == _SC_AVPHYS_PAGES)
		rt_warn_uncontrolled_at("sysconf(_SC_AVPHYS_PAGES)", RT_SITE);
	return REAL(sysconf)(name);
}
