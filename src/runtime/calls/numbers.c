#include "runtime/calls/numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "runtime/calls/io.h"
#include "runtime/calls/socket.h"
#include "runtime/calls/users.h"
#include "runtime/rt_sys.h"

uint64_t rt_numbers(void)
{
	return OBJECT(OBJECT_FD, 0);
}

void rt_numbers_step(uint64_t site)
{
	struct event event = rt_event(EVENT_IO_WRITE, site);

	if (!rt_running())
		return;
	rt_access_object(&event, rt_numbers(), ACCESS_WRITE);
	rt_step(&event, NULL, NULL);
}

/* ---- who has used a number ---- */

static struct rt_number *number_of(int fd)
{
	if (!rt_running() || fd < 0 || fd >= RT_MAX_FDS)
		return NULL;
	RT->io.numbers_used = true;
	return &RT->io.numbers[fd];
}

static bool is_open(int fd)
{
	return rt_syscall(SYS_fcntl, fd, F_GETFD, 0) >= 0;
}

static void learn(void)
{
	if (RT->channel->number_is_event)
		return;
	RT->channel->number_is_event = 1;
	rt_relearn();
}

/* Has a thread used the number whose end the current thread does not know? It knows the end of
 * threads that it has joined itself. */
static bool has_other_user(const struct rt_number *number)
{
	uint64_t others = number->users & ~rt_users_bit(rt_self()->index);

	if (number->users & rt_users_bit(RT_USERS_BITS - 1))
		return true;
	for (uint32_t i = 0; i < RT_USERS_BITS - 1; i++)
		if (others >> i & 1 && RT->actors[i].joiner != rt_self()->index + 1)
			return true;
	return false;
}

static bool is_foreign(const struct rt_number *number)
{
	return number->opener && number->opener != rt_self()->index + 1;
}

int rt_number_taken(int fd)
{
	struct rt_number *number = number_of(fd);

	if (number)
		*number = (struct rt_number){.opener = rt_self()->index + 1};
	return fd;
}

int rt_number_refused(int result)
{
	int error = errno;
	struct rlimit limit;

	if (result < 0 && error == EMFILE && rt_active() &&
	    rt_syscall(SYS_getrlimit, RLIMIT_NOFILE, &limit, 0) == 0)
		rt_warn("the program reached the limit of open files: ulimit -n %lu",
			(unsigned long)limit.rlim_cur);
	errno = error;
	return result;
}

void rt_number_closes(int fd)
{
	struct rt_number *number = number_of(fd);

	if (number && (!is_open(fd) || is_foreign(number) || has_other_user(number)))
		learn();
}

/* ---- open files in use ---- */

int rt_number_hold(int fd)
{
	int used = (int)rt_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, RT_HIDDEN_FDS);

	if (used < 0)
		return is_open(fd) ? fd : -1;
	for (uint32_t i = 0; i < RT_MAX_USED; i++)
		if (!RT->io.held[i].fd) {
			RT->io.held[i].fd = used;
			RT->io.held[i].entry = RT->io.fds[fd];
			RT->io.held[i].entry.opened = rt_file_position(fd);
			return used;
		}
	rt_lost("more than %d calls use descriptors at a time", RT_MAX_USED);
}

void rt_number_looked(int fd)
{
	struct rt_number *number = number_of(fd);

	if (!number || RT->channel->number_is_event)
		return;
	if (!is_open(fd) || is_foreign(number))
		learn();
	number->users |= rt_users_bit(rt_self()->index);
}

void rt_number_look(int fd, uint64_t site)
{
	struct event event = rt_event(EVENT_IO_READ, site);

	if (!number_of(fd))
		return;
	if (!RT->channel->number_is_event) {
		rt_number_looked(fd);
		return;
	}
	rt_access_object(&event, rt_numbers(), ACCESS_READ);
	rt_step(&event, NULL, NULL);
}

int rt_number_use(int fd, uint64_t site)
{
	rt_number_look(fd, site);
	if (!number_of(fd) || !RT->channel->number_is_event)
		return fd;
	return fd == 1 || fd == 2 ? fd : rt_number_hold(fd); /* output has its own object */
}

long rt_number_done(int used, int fd, long result)
{
	if (used == fd || used < 0)
		return result;
	rt_socket_closed(used, 0);
	rt_syscall(SYS_close, used, 0, 0);
	for (uint32_t i = 0; i < RT_MAX_USED; i++)
		if (RT->io.held[i].fd == used)
			RT->io.held[i].fd = 0;
	return result;
}

void rt_numbers_begin(void)
{
	if (!RT->io.numbers_used)
		return; /* as in most programs: clearing 4 KB is a hundredth of a short run */
	RT->io.numbers_used = false;
	rt_memset(RT->io.numbers, 0, sizeof(RT->io.numbers));
	for (uint32_t i = 0; i < RT_MAX_USED; i++)
		RT->io.held[i].fd = 0;
}
