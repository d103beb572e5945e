/* poll.c: waiting for one of several descriptors.
 *
 * Looking at a descriptor takes from, or gives to, its object in the sense of the
 * table of access modes: it conflicts with every other step that takes from, or gives
 * to, that object. When the poll set has more descriptors than an event has room for,
 * the step conflicts with everything.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "runtime/calls/io.h"
#include "runtime/calls/numbers.h"
#include "runtime/calls/signal.h"
#include "runtime/calls/sync.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

struct waiting {
	struct pollfd *fds;
	nfds_t len;
};

static bool is_ready(const struct waiting *waiting)
{
	return rt_syscall(SYS_poll, waiting->fds, waiting->len, 0) != 0;
}

static bool can_go_on(struct rt_actor *actor, void *thing)
{
	return actor->timed_out || is_ready(thing) || rt_cancel_due(actor);
}

static void add_access(struct event *event, uint64_t object, enum access_mode mode)
{
	if (!object || (event->access_len && event->accesses[0].mode == ACCESS_WORLD))
		return;
	if (event->access_len == EVENT_ACCESSES - 1) {
		event->access_len = 0;
		object = 0;
		mode = ACCESS_WORLD;
	}
	rt_access_object(event, object, mode);
}

static void add_fd_access(struct event *event, int fd, short events)
{
	const struct rt_fd *entry = rt_io_find(fd);

	if (!entry)
		return;
	if (entry->kind == RT_FD_EPOLL) {
		if (RT->channel->sets_are_event)
			add_access(event, entry->opened, ACCESS_TAKE);
		for (uint32_t i = 0; i < RT->io.poll_set_len; i++)
			if (RT->io.poll_set[i].epoll == fd)
				add_fd_access(event, RT->io.poll_set[i].fd,
					      (short)RT->io.poll_set[i].events);
		return;
	}
	if (events & POLLOUT)
		add_access(event, entry->writes, ACCESS_GIVE);
	if (!(events & POLLOUT) || (events & POLLIN))
		add_access(event, entry->reads ? entry->reads : entry->writes, ACCESS_TAKE);
}

/* One step on all descriptors; with `can` it waits. */
static struct event *step_on_fds(struct waiting *waiting, rt_can *can, uint64_t site)
{
	struct event event = rt_event(EVENT_IO_POLL, site);

	for (nfds_t i = 0; i < waiting->len; i++)
		add_fd_access(&event, waiting->fds[i].fd, waiting->fds[i].events);
	if (RT->channel->number_is_event)
		add_access(&event, rt_numbers(), ACCESS_READ);
	if (!can)
		event.flags = EVENT_TRY;
	if (event.access_len < EVENT_ACCESSES && event.accesses[0].mode != ACCESS_WORLD)
		rt_cancel_access(&event);
	return rt_step(&event, can, can ? waiting : NULL);
}

static uint32_t count_modelled(const struct pollfd *fds, nfds_t len)
{
	uint32_t count = 0;

	for (nfds_t i = 0; i < len; i++) {
		const struct rt_fd *entry = rt_io_find(fds[i].fd);

		count += entry != NULL;
		for (uint32_t w = 0; entry && w < RT->io.poll_set_len; w++)
			count += RT->io.poll_set[w].epoll == fds[i].fd;
	}
	return count;
}

/* A descriptor that had nothing to read was only looked at: who waits to read from it was not kept waiting by
 * this step. */
static void note_empty(struct event *did, int fd)
{
	const struct rt_fd *entry = rt_io_find(fd);

	if (!entry)
		return;
	if (entry->kind == RT_FD_EPOLL)
		for (uint32_t i = 0; i < RT->io.poll_set_len; i++)
			if (RT->io.poll_set[i].epoll == fd)
				note_empty(did, RT->io.poll_set[i].fd);
	if (!entry->reads || rt_io_state(fd, POLLIN))
		return;
	for (uint32_t a = 0; a < did->access_len; a++)
		if (did->accesses[a].object == entry->reads && did->accesses[a].mode == ACCESS_TAKE)
			did->accesses[a].mode = ACCESS_PEEK;
}

static void note_what_is_empty(struct event *did, const struct waiting *waiting)
{
	for (nfds_t i = 0; i < waiting->len; i++)
		note_empty(did, waiting->fds[i].fd);
}

/* Waits until one is ready or the time is over. ns: 0 does not wait, UINT64_MAX waits for
 * ever. With several descriptors it first looks without waiting, which any of the
 * writers may precede or not; a step that waits would seem to need all that came
 * before it. */
static struct event *wait_for(struct pollfd *fds, nfds_t len, uint64_t ns, uint64_t site)
{
	struct rt_actor *self = rt_self();
	struct waiting waiting = {fds, len};
	bool timed = ns && ns != UINT64_MAX;
	struct event *did;

	for (nfds_t i = 0; i < len; i++)
		rt_number_looked(fds[i].fd);
	if (!ns || count_modelled(fds, len) > 1) {
		rt_cancel_point(site);
		did = step_on_fds(&waiting, NULL, site);
		note_what_is_empty(did, &waiting);
		if (!ns || is_ready(&waiting))
			return did;
		did->flags |= EVENT_FAILED;
	}
	self->timed_out = false;
	if (timed)
		rt_timer_arm(self, RT->now_ns + ns, 0, NULL);
	did = step_on_fds(&waiting, can_go_on, site);
	if (timed)
		rt_timer_disarm(self);
	note_what_is_empty(did, &waiting);
	if (self->timed_out)
		did->flags |= EVENT_TRY;
	rt_cancel_ends(did, is_ready(&waiting), self->timed_out);
	for (nfds_t i = 0; i < len; i++) /* the kernel would go on with the file that it was */
		if (fds[i].fd >= 0 && rt_io_state(fds[i].fd, 0) & POLLNVAL)
			rt_warn_uncontrolled_at("poll of a descriptor that another thread closes",
						site);
	self->timed_out = false;
	rt_cancel_act();
	return did;
}

static bool is_modelled(const struct pollfd *fds, nfds_t len)
{
	for (nfds_t i = 0; i < len; i++)
		if (rt_io_find(fds[i].fd))
			return true;
	return false;
}

static int poll_fds(struct pollfd *fds, nfds_t len, uint64_t ns, uint64_t site)
{
	struct event *did;
	int result;

	did = wait_for(fds, len, ns, site);
	result = REAL(poll)(fds, len, 0);
	did->value = (uint64_t)result;
	if (!result)
		did->flags |= EVENT_FAILED;
	return result;
}

INTERCEPT(int, poll, (struct pollfd *fds, nfds_t len, int ms))
{
	if (rt_running())
		rt_plain(fds, len * sizeof(*fds), true, RT_SITE);
	if (!rt_active() || (ms == 0 && !is_modelled(fds, len))) {
		rt_cancel_point(RT_SITE);
		return REAL(poll)(fds, len, ms);
	}
	return poll_fds(fds, len, ms < 0 ? UINT64_MAX : (uint64_t)ms * NS_PER_MS, RT_SITE);
}

static uint64_t ns_of(const struct timespec *time)
{
	if (!time)
		return UINT64_MAX;
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

/* A mask that holds for the wait is not modelled. It matters if signals are sent that the mask lets
 * through and the thread's own mask does not, or the other way round. If every thread waits then, one
 * of them may wait for such a signal. */
static void check_mask(const sigset_t *mask, const char *call, uint64_t site)
{
	uint64_t sent = RT->channel->signals_sent | RT->channel->signals_to_all;

	rt_reads(mask, sizeof(uint64_t), site);
	if (!mask)
		return;
	if ((rt_signals_of(mask) ^ rt_self()->signal_mask) & sent)
		rt_warn_ringer(call, "a wait with a mask of signals (ppoll, pselect, epoll_pwait)");
}

INTERCEPT(int, ppoll,
	  (struct pollfd *fds, nfds_t len, const struct timespec *time, const sigset_t *mask))
{
	if (!rt_active())
		return REAL(ppoll)(fds, len, time, mask);
	check_mask(mask, "ppoll", RT_SITE);
	rt_plain(fds, len * sizeof(*fds), true, RT_SITE);
	rt_reads(time, sizeof(*time), RT_SITE);
	return poll_fds(fds, len, ns_of(time), RT_SITE);
}

/* ---- select: the same, with sets ---- */

static nfds_t fds_of_sets(int high, fd_set *in, fd_set *out, fd_set *except, struct pollfd *fds)
{
	nfds_t len = 0;

	for (int fd = 0; fd < high && len < FD_SETSIZE; fd++) {
		short events = 0;

		if (in && FD_ISSET(fd, in))
			events |= POLLIN;
		if (out && FD_ISSET(fd, out))
			events |= POLLOUT;
		if (except && FD_ISSET(fd, except))
			events |= POLLPRI;
		if (events)
			fds[len++] = (struct pollfd){.fd = fd, .events = events};
	}
	return len;
}

static int keep_bit(fd_set *set, int fd, bool keep)
{
	if (!set || !FD_ISSET(fd, set))
		return 0;
	if (!keep)
		FD_CLR(fd, set);
	return keep;
}

static int select_fds(int high, fd_set *in, fd_set *out, fd_set *except, uint64_t ns,
		      uint64_t site)
{
	struct pollfd fds[FD_SETSIZE];
	nfds_t len = fds_of_sets(high, in, out, except, fds);
	int ready = 0;

	if (poll_fds(fds, len, ns, site) < 0)
		return -1;
	for (nfds_t i = 0; i < len; i++) {
		if (fds[i].revents & POLLNVAL) {
			errno = EBADF;
			return -1;
		}
		ready += keep_bit(in, fds[i].fd, fds[i].revents & (POLLIN | POLLHUP | POLLERR));
		ready += keep_bit(out, fds[i].fd, fds[i].revents & (POLLOUT | POLLERR));
		ready += keep_bit(except, fds[i].fd, fds[i].revents & POLLPRI);
	}
	return ready;
}

/* select reads and writes the words of the sets up to the highest descriptor. */
static void touch_sets(int high, const fd_set *in, const fd_set *out, const fd_set *except,
		       uint64_t site)
{
	size_t size = ((size_t)high + NFDBITS - 1) / NFDBITS * sizeof(fd_mask);

	if (in)
		rt_plain(in, size, true, site);
	if (out)
		rt_plain(out, size, true, site);
	if (except)
		rt_plain(except, size, true, site);
}

INTERCEPT(int, select, (int high, fd_set *restrict in, fd_set *restrict out,
			fd_set *restrict except, struct timeval *restrict time))
{
	if (!rt_active())
		return REAL(select)(high, in, out, except, time);
	touch_sets(high, in, out, except, RT_SITE);
	rt_reads(time, sizeof(*time), RT_SITE);
	return select_fds(high, in, out, except,
			  time ? (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_usec * 1000
			       : UINT64_MAX, RT_SITE);
}

INTERCEPT(int, pselect,
	  (int high, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
	   const struct timespec *restrict time, const sigset_t *restrict mask))
{
	if (!rt_active())
		return REAL(pselect)(high, in, out, except, time, mask);
	check_mask(mask, "pselect", RT_SITE);
	touch_sets(high, in, out, except, RT_SITE);
	rt_reads(time, sizeof(*time), RT_SITE);
	return select_fds(high, in, out, except, ns_of(time), RT_SITE);
}

/* ---- epoll ---- */

static int note_epoll(int fd)
{
	if (fd < 0 || !rt_active())
		return fd;
	if (fd >= RT_MAX_FDS)
		rt_lost("more than %d descriptors", RT_MAX_FDS);
	rt_need_fork("epoll");
	RT->io.fds[fd] = (struct rt_fd){.kind = RT_FD_EPOLL, .opened = rt_io_new_object(CHANNEL_IO_EPOLL)};
	return rt_number_taken(fd);
}

INTERCEPT(int, epoll_create, (int size))
{
	rt_numbers_step(RT_SITE);
	return note_epoll(REAL(epoll_create)(size));
}

INTERCEPT(int, epoll_create1, (int flags))
{
	rt_numbers_step(RT_SITE);
	return note_epoll(REAL(epoll_create1)(flags));
}

static struct rt_poll_entry *find_poll_entry(int epoll, int fd)
{
	for (uint32_t i = 0; i < RT->io.poll_set_len; i++)
		if (RT->io.poll_set[i].epoll == epoll && RT->io.poll_set[i].fd == fd)
			return &RT->io.poll_set[i];
	return NULL;
}

static struct rt_poll_entry *add_poll_entry(void)
{
	for (uint32_t i = 0; i < RT->io.poll_set_len; i++)
		if (RT->io.poll_set[i].epoll < 0)
			return &RT->io.poll_set[i];
	if (RT->io.poll_set_len == RT_MAX_POLL_SET)
		rt_lost("more than %d descriptors in epoll sets", RT_MAX_POLL_SET);
	return &RT->io.poll_set[RT->io.poll_set_len++];
}

/* One thread waits on the set and another changes it: from the next run on the two depend on each
 * other. The thread may be one of several. */
static void note_user(uint32_t *used_by, uint32_t other)
{
	uint32_t self = rt_self()->index + 1;

	if (!rt_running())
		return;
	if (other && other != self && !RT->channel->sets_are_event) {
		RT->channel->sets_are_event = 1;
		rt_relearn();
	}
	*used_by = *used_by && *used_by != self ? UINT32_MAX : self;
}

/* Other flags change when the kernel shows a descriptor again, or to whom. */
static void check_flags(const struct epoll_event *wanted, uint64_t site)
{
	if (wanted->events & ~(uint32_t)(EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI | EPOLLERR |
					 EPOLLHUP | EPOLLRDNORM | EPOLLWRNORM | EPOLLWAKEUP))
		rt_warn_uncontrolled_at("a flag of epoll_ctl that is not modelled (EPOLLET …)", site);
}

/* Changes come in an order, and one of them may be what a waiter waits for. */
static void step_on_set(struct rt_fd *set, uint64_t site)
{
	struct event event = rt_event(EVENT_IO_WRITE, site);

	if (!rt_running())
		return;
	note_user(&set->changed_by, set->waited_by);
	rt_access_object(&event, OBJECT(OBJECT_FD, 0), ACCESS_WRITE);
	rt_access_object(&event, set->opened, ACCESS_GIVE);
	rt_step(&event, NULL, NULL);
}

INTERCEPT(int, epoll_ctl, (int epoll, int operation, int fd, struct epoll_event *wanted))
{
	struct rt_poll_entry *entry;
	int result;

	if (operation != EPOLL_CTL_DEL)
		rt_reads(wanted, sizeof(*wanted), RT_SITE);
	if (!rt_io_find(epoll))
		return REAL(epoll_ctl)(epoll, operation, fd, wanted);
	if (operation != EPOLL_CTL_DEL)
		check_flags(wanted, RT_SITE);
	step_on_set(rt_io_find(epoll), RT_SITE);
	result = REAL(epoll_ctl)(epoll, operation, fd, wanted);
	if (result)
		return result;
	entry = operation == EPOLL_CTL_ADD ? add_poll_entry() : find_poll_entry(epoll, fd);
	if (!entry)
		return 0;
	*entry = (struct rt_poll_entry){.epoll = operation == EPOLL_CTL_DEL ? -1 : epoll, .fd = fd};
	if (operation != EPOLL_CTL_DEL) {
		entry->events = wanted->events;
		entry->data = wanted->data.u64;
	}
	return 0;
}

static int epoll_fds(int epoll, struct epoll_event *out, int max, int ms, uint64_t site)
{
	struct pollfd fd = {.fd = epoll, .events = POLLIN};
	struct rt_fd *set = rt_io_find(epoll);
	struct event *did;
	int result;

	note_user(&set->waited_by, set->changed_by);
	did = wait_for(&fd, 1, ms < 0 ? UINT64_MAX : (uint64_t)ms * NS_PER_MS, site);
	result = REAL(epoll_wait)(epoll, out, max, 0);
	did->value = (uint64_t)result;
	if (!result)
		did->flags |= EVENT_FAILED;
	if (result > 0)
		rt_plain(out, (size_t)result * sizeof(*out), true, site);
	return result;
}

INTERCEPT(int, epoll_wait, (int epoll, struct epoll_event *out, int max, int ms))
{
	if (!rt_io_find(epoll))
		return REAL(epoll_wait)(epoll, out, max, ms);
	return epoll_fds(epoll, out, max, ms, RT_SITE);
}

INTERCEPT(int, epoll_pwait,
	  (int epoll, struct epoll_event *out, int max, int ms, const sigset_t *mask))
{
	if (!rt_io_find(epoll))
		return REAL(epoll_pwait)(epoll, out, max, ms, mask);
	check_mask(mask, "epoll_pwait", RT_SITE);
	return epoll_fds(epoll, out, max, ms, RT_SITE);
}
