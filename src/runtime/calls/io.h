/* io.h: pipes, socket pairs and eventfds between the program's own threads.
 *
 * A blocking read would stop the whole program, so these descriptors are really
 * non-blocking, and whether a call can go on is asked of the kernel before each
 * decision. Reading takes from an object, writing gives to one. Descriptors that lead
 * elsewhere (files, terminals) are left alone.
 *
 * The state that the kernel keeps of them is not put back with the program's memory,
 * and all runs that fork off share it: rt_io_begin() (server.h) gives every run fresh
 * ones.
 */
#ifndef RUNTIME_CALLS_IO_H
#define RUNTIME_CALLS_IO_H

#include <sys/types.h>

#include "runtime/rt.h"

enum rt_fd_kind {
	RT_FD_NONE,
	RT_FD_PIPE,
	RT_FD_SOCKET, /* one of a socketpair, or made by socket() */
	RT_FD_EVENT,
	RT_FD_EPOLL,
	RT_FD_RANDOM, /* /dev/urandom and the like */
};

enum { RT_KERNEL_LARGEFILE = 0100000 }; /* O_LARGEFILE, which the headers have as 0 */

/* The entry of a modelled descriptor, or NULL. */
struct rt_fd *rt_io_find(int fd);

/* A new object, named by its kind, the thread that makes it and its number there. */
uint64_t rt_io_new_object(enum channel_io kind);

/* Adds a descriptor to the table, with the objects it takes from and gives to (0: none). */
void rt_io_add(int fd, enum rt_fd_kind kind, bool nonblock, uint64_t reads, uint64_t writes);

/* The step of a read or write, which must then be made without blocking. */
struct event *rt_io_step(const struct rt_fd *entry, int fd, bool is_write, bool waits,
			 uint64_t site);
/* The same of a read of so many bytes. Bytes that came by TCP may be handed out in parts
 * (--spurious): then the size becomes 1. */
struct event *rt_io_read_step(const struct rt_fd *entry, int fd, bool waits, size_t *size,
			      uint64_t site);
ssize_t rt_io_note(struct event *did, ssize_t result); /* returns the result */

/* Does a call on the descriptor wait? Another thread may change that by fcntl: where threads do so, a
 * look at it is a step (io_control.c). */
bool rt_io_waits(const struct rt_fd *entry, uint64_t site);

/* A call that frees a number: its step, and then the number is forgotten (io.c). */
void rt_io_step_on_number(int fd, uint64_t site);
void rt_io_forget(int fd, uint64_t site);

/* Has something been written to this end of a pair that the other end has not read? */
bool rt_io_queued(int fd);

/* The state of a descriptor as poll() reports it: POLLIN, POLLOUT, POLLHUP … */
short rt_io_state(int fd, short events);

/* A call on a descriptor that is not in the table: a step, where there are threads (file_io.c). */
enum rt_file_use {
	RT_FILE_READS = 0,
	RT_FILE_WRITES = 1,
	RT_FILE_MOVES = 2, /* the position */
};
void rt_file_step(int fd, enum rt_file_use use, uint64_t site);

/* Is it the file that holds what a run prints? */
struct stat;
bool rt_io_is_capture(const struct stat *file);

/* The object that is the contents of all files. */
uint64_t rt_file_contents(void);

/* Threads that use one file in several ways (file_routes.c). A use of it; `way` is the FILE, or the open file. */
void rt_file_way(int fd, uint64_t way, bool is_stream, bool writes);

/* The object that is the position of an open file; copies of the descriptor share it. */
uint64_t rt_file_position(int fd);

/* The descriptor was just opened: copies of it will have its name (io.c). */
void rt_io_opened(int fd);

/* Random bytes of the current thread (random.c). */
void rt_random_fill(void *to, size_t size);

#endif
