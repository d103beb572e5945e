/* io_control.c: copies of descriptors, and their flags. */
#include <fcntl.h>
#include <linux/sockios.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/calls/identity.h"
#include "runtime/calls/io.h"
#include "runtime/calls/numbers.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

/* ---- copies and flags ---- */

static int note_copy(int from, int to)
{
	if (to < 0 || to >= RT_MAX_FDS || !rt_active())
		return rt_number_refused(to);
	RT->io.fds[to] = from < RT_MAX_FDS ? RT->io.fds[from] : (struct rt_fd){0};
	RT->io.fds[to].opened = rt_file_position(from);
	return rt_number_taken(to);
}

/* The next run would find the copy, and a number less that is free. */
static void note_number(void)
{
	if (rt_running())
		rt_need_fork("a copy of a descriptor");
}

INTERCEPT(int, dup, (int fd))
{
	note_number();
	rt_numbers_step(RT_SITE);
	return note_copy(fd, REAL(dup)(fd));
}

/* The number may be in use: then it is closed first. */
static void step_on_copy(int fd, int to, uint64_t site)
{
	if (!rt_running() || fd == to)
		return;
	note_number();
	if (rt_syscall(SYS_fcntl, to, F_GETFD, 0) >= 0)
		rt_io_step_on_number(to, site);
	else
		rt_numbers_step(site);
	if (rt_syscall(SYS_fcntl, fd, F_GETFD, 0) >= 0)
		rt_io_forget(to, site);
}

INTERCEPT(int, dup2, (int fd, int to))
{
	step_on_copy(fd, to, RT_SITE);
	return note_copy(fd, REAL(dup2)(fd, to));
}

INTERCEPT(int, dup3, (int fd, int to, int flags))
{
	step_on_copy(fd, to, RT_SITE);
	return note_copy(fd, REAL(dup3)(fd, to, flags));
}

static void step_on_flags(const struct rt_fd *entry, bool is_change, uint64_t site)
{
	struct event event = rt_event(is_change ? EVENT_RMW : EVENT_LOAD, site);

	event.memory_order = MEMORY_ORDER_RELAXED;
	rt_access_object(&event, (entry->reads ? entry->reads : entry->writes) ^ CHANNEL_IO_FLAGS,
			 is_change ? ACCESS_WRITE : ACCESS_READ);
	rt_step(&event, NULL, NULL);
}

bool rt_io_waits(const struct rt_fd *entry, uint64_t site)
{
	if (rt_running() && RT->channel->flags_are_event)
		step_on_flags(entry, false, site);
	return !entry->nonblock;
}

/* Do the two descriptors share one open file? */
static bool is_copy(const struct rt_fd *a, const struct rt_fd *b)
{
	return a->kind == b->kind && a->reads == b->reads && a->writes == b->writes &&
	       a->socket == b->socket && a->kind != RT_FD_EPOLL;
}

/* The flag belongs to the open file, so all copies of the descriptor have it. */
static void set_nonblock(struct rt_fd *entry, bool nonblock, uint64_t site)
{
	if (rt_running() && (RT->channel->flags_are_event || entry->nonblock != nonblock)) {
		if (!RT->channel->flags_are_event) {
			RT->channel->flags_are_event = 1;
			rt_relearn();
		}
		step_on_flags(entry, true, site);
	}
	for (int fd = 0; fd < RT_MAX_FDS; fd++)
		if (is_copy(&RT->io.fds[fd], entry))
			RT->io.fds[fd].nonblock = nonblock;
	for (uint32_t i = 0; i < RT_MAX_USED; i++)
		if (RT->io.held[i].fd && is_copy(&RT->io.held[i].entry, entry))
			RT->io.held[i].entry.nonblock = nonblock;
	entry->nonblock = nonblock;
}

/* The memory that the argument points to, for commands whose argument is a pointer. */
static void touch_argument(int command, const void *memory, uint64_t site)
{
	switch (command) {
	case F_GETLK:
	case F_OFD_GETLK:
		rt_writes(memory, sizeof(struct flock), site);
		break;
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		rt_reads(memory, sizeof(struct flock), site);
		break;
	case F_GETOWN_EX:
		rt_writes(memory, sizeof(struct f_owner_ex), site);
		break;
	case F_SETOWN_EX:
		rt_reads(memory, sizeof(struct f_owner_ex), site);
		break;
	default:
		break;
	}
}

/* ---- what fcntl is asked for ---- */

/* Those flags of F_SETFL that are modelled, that change nothing for a thread of the same program, or
 * that the kernel leaves alone. */
static bool is_known_flag(long flags)
{
	return !(flags & ~(long)(O_NONBLOCK | O_APPEND | O_NOATIME | O_ACCMODE | O_CREAT | O_EXCL |
				 O_NOCTTY | O_TRUNC | O_CLOEXEC | O_LARGEFILE | O_DIRECTORY |
				 O_NOFOLLOW | RT_KERNEL_LARGEFILE));
}

/* The name of a request that is not modelled; NULL if it is, or is harmless. */
static const char *unknown_request(const struct rt_fd *entry, int fd, int command, long arg)
{
	long flags;

	switch (command) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_GETFD:
	case F_SETFD:
	case F_GETFL:
	case F_GETLK:
	case F_SETLK:
	case F_SETLKW:
	case F_GETOWN:
	case F_SETOWN: /* see O_ASYNC */
	case F_GETPIPE_SZ:
		return NULL;
	case F_OFD_GETLK:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return "a lock of an open file (F_OFD_SETLK)";
	case F_SETPIPE_SZ: /* io_begin.c keeps what was set before the first thread */
		return rt_running() ? "a change of the size of a pipe (F_SETPIPE_SZ)" : NULL;
	case F_SETFL:
		if (arg & O_ASYNC)
			return "signals about a descriptor (O_ASYNC)";
		if (!is_known_flag(arg))
			return "a flag of F_SETFL that is not modelled";
		flags = rt_syscall(SYS_fcntl, fd, F_GETFL, 0);
		return !entry && rt_running() && (flags ^ arg) & O_APPEND
			       ? "a change of O_APPEND beside other threads"
			       : NULL;
	default:
		return "a request of fcntl that is not modelled";
	}
}

struct lock_request {
	int fd;
	struct flock lock;
};

static bool can_lock(struct rt_actor *actor, void *thing)
{
	struct lock_request request = *(const struct lock_request *)thing;

	return rt_syscall(SYS_fcntl, request.fd, F_OFD_GETLK, &request.lock) < 0 ||
	       request.lock.l_type == F_UNLCK;
}

/* The lock of an open file holds between threads. A close gives it up as well, so who waits for it is
 * in conflict with everything. */
static void wait_for_lock(int fd, const struct flock *lock, uint64_t site)
{
	struct lock_request request = {fd, *lock};
	struct event event = rt_event(EVENT_IO_WRITE, site);

	if (!rt_running() || lock->l_type == F_UNLCK)
		return;
	rt_access_object(&event, 0, ACCESS_WORLD);
	rt_step(&event, can_lock, &request);
}

static int control(int fd, int command, long arg, uint64_t site)
{
	const char *unknown;
	struct rt_fd *entry;
	int result;

	touch_argument(command, (const void *)arg, site);
	if (command == F_SETLKW || command == F_OFD_SETLKW)
		rt_cancel_point(site);
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
		note_number();
		rt_numbers_step(site);
	} else {
		rt_number_look(fd, site);
	}
	entry = rt_io_find(fd);
	unknown = rt_active() ? unknown_request(entry, fd, command, arg) : NULL;
	if (unknown)
		rt_warn_uncontrolled_at(unknown, site);
	if (command == F_OFD_SETLKW)
		wait_for_lock(fd, (const struct flock *)arg, site);
	if (entry && command == F_SETFL) {
		set_nonblock(entry, arg & O_NONBLOCK, site);
		arg |= O_NONBLOCK;
	}
	if (rt_active() && command == F_SETOWN)
		arg = rt_kernel_number((int)arg);
	result = REAL(fcntl)(fd, command, arg);
	if (rt_active() && command == F_GETOWN && result == rt_kernel_number(RT_PID))
		result = RT_PID;
	if (entry && command == F_GETFL && rt_io_waits(entry, site) && result >= 0)
		result &= ~O_NONBLOCK;
	if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
		note_copy(fd, result);
	return result;
}

#define FCNTL(name) \
	INTERCEPT(int, name, (int fd, int command, ...)) \
	{ \
		va_list args; \
		long arg; \
 \
		va_start(args, command); \
		arg = va_arg(args, long); \
		va_end(args); \
		return control(fd, command, arg, RT_SITE); \
	}

int fcntl64(int fd, int command, ...);
FCNTL(fcntl)
FCNTL(fcntl64)

/* How much is there to read, or not yet read: a look at the queue. */
static void step_on_count(const struct rt_fd *entry, int fd, bool is_output, uint64_t site)
{
	struct event event = rt_event(EVENT_IO_READ, site);
	uint64_t object = entry ? is_output ? entry->writes : entry->reads : 0;

	if (!rt_running())
		return;
	if (!entry) {
		rt_file_step(fd, RT_FILE_READS, site);
		return;
	}
	if (!object)
		object = entry->reads | entry->writes; /* one end of a pipe tells it of both */
	rt_access_object(&event, object ? object : rt_numbers(), object ? ACCESS_TAKE : ACCESS_READ);
	event.flags = EVENT_TRY;
	rt_step(&event, NULL, NULL)->accesses[0].mode = object ? ACCESS_PEEK : ACCESS_READ;
}

/* The memory that the argument points to: newer requests have its size in their number. */
static void touch_request(unsigned long request, const void *memory, uint64_t site)
{
	switch (request) {
	case FIONREAD:
	case SIOCOUTQ:
		rt_writes(memory, sizeof(int), site);
		break;
	case FIONBIO:
	case FIOASYNC:
		rt_reads(memory, sizeof(int), site);
		break;
	case TIOCGWINSZ:
		rt_writes(memory, sizeof(struct winsize), site);
		break;
	case FIOCLEX:
	case FIONCLEX:
		break;
	default:
		if (_IOC_DIR(request) & _IOC_READ)
			rt_writes(memory, _IOC_SIZE(request), site);
		else if (_IOC_DIR(request) & _IOC_WRITE)
			rt_reads(memory, _IOC_SIZE(request), site);
		else if (rt_running())
			rt_warn_uncontrolled_at("ioctl", site);
	}
}

INTERCEPT(int, ioctl, (int fd, unsigned long request, ...))
{
	struct rt_fd *entry;
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	touch_request(request, arg, RT_SITE);
	rt_number_look(fd, RT_SITE);
	entry = rt_io_find(fd);
	if (entry && request == FIONBIO) {
		set_nonblock(entry, *(int *)arg != 0, RT_SITE);
		return 0;
	}
	if (request == FIONREAD || request == SIOCOUTQ)
		step_on_count(entry, fd, request == SIOCOUTQ, RT_SITE);
	else if (entry)
		rt_warn_uncontrolled_at("ioctl", RT_SITE);
	return REAL(ioctl)(fd, request, arg);
}
