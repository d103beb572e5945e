/* program.h: the tested program as a process: started once, controlled through the
 * channel (runtime/channel.h), watched while it runs.
 *
 * The process stops at its first thread and then serves runs. It dies with the tool
 * (parent death signal). It is in a process group of its own, so that Ctrl-C reaches
 * only the tool, and on the same core as the tool. Address randomisation is off where
 * the system allows that. Its output goes to a memory file of limited size.
 */
#ifndef NATIVE_PROGRAM_H
#define NATIVE_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/err.h"
#include "native/elf.h"
#include "runtime/channel.h"

/* Soft limits of the system, set before the program starts; a hard limit below one wins. */
enum { PROGRAM_LIMITS = 8 };
struct program_limits {
	struct {
		int resource;
		rlim_t soft;
	} items[PROGRAM_LIMITS];
	size_t len;
};

/* The user's options; borrowed for the life of the program. */
struct program_options {
	char **argv;              /* argv[0] as given, NULL at the end */
	const char *path;         /* the file to execute */
	const char *preload;      /* path of the preload library for unwrapped programs */
	const char *stdin_path;   /* NULL: the program reads from /dev/null */
	bool needs_preload;
	bool is_elsewhere; /* start it with a larger environment and through a longer path */
	uint32_t patience; /* how often its limit the first silence may take; 0 counts as 1 */
	struct program_limits limits;
	struct channel_options channel;
	/* Set by a signal handler or a budget: waiting for the program ends at once. */
	const volatile sig_atomic_t *stop;
	/* The same, of a program that confirms a finding and is not stopped: from then on a silence
	 * may take half of its limit, whatever `patience` says. NULL: never. */
	const volatile sig_atomic_t *hurry;
};

struct program {
	const struct program_options *options;
	struct channel *channel;
	uint64_t channel_size;
	struct channel *laid_out; /* the channel as it was before the program started */
	const char *output; /* mapping of the captured output */
	int channel_fd, capture_fd;
	pid_t pid;
	int status;   /* of waitpid, once it is dead */
	bool is_dead;
	bool is_late;    /* the time was over before its first thread */
	bool is_counted; /* among those under control */
	uint32_t patience; /* how often its limit the next silence may take; 0 counts as 1 */
	uint64_t dead_cpu_ns;
	double silent_s;   /* when it was stopped: how long its last step had not come back */
};

enum program_answer {
	PROGRAM_ANSWERED,
	PROGRAM_DIED,    /* program->status says how */
	PROGRAM_STOPPED, /* options->stop was set */
};

/* Starts it and waits until it serves runs. */
bool program_start(struct program *program, const struct program_options *options, struct err *err);

/* Hands one request over (enum channel_command) and waits for the answer. */
enum program_answer program_request(struct program *program, uint32_t command);

/* After PROGRAM_STOPPED: asks the program where it is, which ends its run. True if it answered. */
bool program_ask(struct program *program);

/* Hands one request over and waits until the run has ended and its process has stopped
 * itself; returns that process, or -1. For debuggers; the program is of no other use then. */
pid_t program_request_stopped(struct program *program, uint32_t step);

/* CPU time of the process and its children so far; peak memory in kB. */
uint64_t program_cpu_ns(const struct program *program);
uint64_t program_peak_rss_kb(const struct program *program);

/* Ends it, whatever it does. */
void program_end(struct program *program);

#endif
