/* rt_io.h: the part of the runtime's state (rt.h) that is about descriptors and files. */
#ifndef RUNTIME_RT_IO_H
#define RUNTIME_RT_IO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { RT_MAX_FILES = 32, RT_MAX_EARLY = 16, RT_MAX_FDS = 256, RT_MAX_POLL_SET = 64, RT_MAX_NAMES = 64,
       RT_MAX_USED = 64, RT_MAX_WAYS = 32 };

/* Descriptors whose other end is in the program itself; see io.h. */
struct rt_fd {
	uint32_t kind;            /* enum rt_fd_kind; 0: not ours */
	bool nonblock;            /* as the program wants it; really they all are */
	bool semaphore;           /* an eventfd that counts down by one */
	uint64_t reads, writes;   /* the objects it takes from and gives to; 0 none */
	uint64_t opened;          /* of a file: the object that is its position; of an epoll: its set; 0 not known */
	uint32_t changed_by, waited_by; /* of an epoll: 1 + the thread that did so; 0: none */
	uint32_t socket;          /* 1 + its index in rt_io.sockets; 0: not made by socket() */
};

enum { RT_MAX_SOCKETS = 128 };
enum rt_socket_state { RT_SOCKET_FREE, RT_SOCKET_NEW, RT_SOCKET_LISTENS, RT_SOCKET_CONNECTED };

/* A simulated socket; see calls/socket.h. */
struct rt_socket {
	uint32_t state;           /* enum rt_socket_state */
	int domain, type, protocol;
	int inlet;                /* the other end of a listener or datagram socket; -1 none */
	bool is_bound;
	bool no_more;             /* shut down for writing by the program */
	bool is_reset;            /* a write came after the other end was closed */
	socklen_t address_len, peer_len; /* peer_len 0: none */
	struct sockaddr_storage address, peer;
};


struct rt_io {
	struct rt_fd fds[RT_MAX_FDS];
	struct rt_number {           /* calls/numbers.h: since it was taken */
		uint32_t opener;  /* actor index + 1; 0: before the first thread */
		uint64_t users;   /* a bit for each actor */
	} numbers[RT_MAX_FDS];
	bool numbers_used;           /* in this run; else all of them are 0, and none is held */
	struct {                     /* open files that calls are using */
		int fd;           /* ours; 0: free entry */
		struct rt_fd entry;
	} held[RT_MAX_USED];
	struct rt_socket sockets[RT_MAX_SOCKETS];
	uint32_t sockets_high; /* those with this and greater indices were never used */
	struct rt_poll_entry {       /* descriptors in epoll sets */
		int epoll, fd;    /* epoll -1: free entry */
		uint32_t events;
		uint64_t data;
	} poll_set[RT_MAX_POLL_SET];
	uint32_t poll_set_len;
	int fds_high;             /* descriptors below it matter at the start of a run */
	int64_t offsets[RT_MAX_FDS]; /* of files open when the first thread was made, + 1 */
	uint32_t early_len;       /* temporary files whose contents are put back (io_early.c) */
	struct rt_early_file {
		int fd;
		int64_t size;
		const char *bytes;
	} early[RT_MAX_EARLY];
	uint64_t removed[RT_MAX_NAMES], made[RT_MAX_NAMES]; /* files.c: in this run, hashes */
	struct {                  /* stdio.c: locks taken by flockfile */
		void *file;
		uint32_t owner;   /* actor index + 1; 0 free */
		uint32_t count;
	} files[RT_MAX_FILES];
	uint32_t ways_len;
	struct rt_file_way {      /* calls/file_routes.c: in this run */
		uint64_t file;    /* which file */
		uint64_t way;     /* the FILE, or the object of the open file */
		uint64_t users;   /* a bit for each actor */
		bool is_stream, writes;
	} ways[RT_MAX_WAYS];
	bool flushed_all, locked_other; /* in this run: fflush(NULL); flockfile of another FILE than the three */
};

#endif
