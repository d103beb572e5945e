#include "native/start.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/mem.h"
#include "base/parent.h"
#include "base/strbuf.h"

enum {
	MORE_ENVIRONMENT = 3001, /* bytes, of a program that is started elsewhere */
	DETOUR_PARTS = 30,       /* in its path */
};

/* Arguments, environment and path of a program lie on its first stack, so that their size moves every
 * object there: a finding would not replay with one variable more, or through a longer path. The
 * variable of the channel is padded so that the stack begins at the same address in every process.
 * The kernel puts the strings down first, then a pointer to each (an even number, rounded up). The
 * address is another one only for every further 64 KB of strings. */
enum { STACK_STRINGS = 64 << 10 };

static size_t count_bytes(char *const *strings, size_t *pointers)
{
	size_t bytes = 0;

	for (; *strings; strings++) {
		bytes += strlen(*strings) + 1;
		++*pointers;
	}
	return bytes;
}

/* Appends blanks to env[channel], the variable of the channel. */
static void pad_stack(const char *path, char **argv, char **env, size_t channel)
{
	size_t pointers = 0, bytes = strlen(path) + 1, len = strlen(env[channel]), room;
	char *padded;

	bytes += count_bytes(argv, &pointers) + count_bytes(env, &pointers);
	bytes += (pointers + 1) / 2 * 2 * sizeof(char *);
	room = STACK_STRINGS - bytes % STACK_STRINGS;
	padded = mem_alloc(len + room + 1);
	memcpy(padded, env[channel], len);
	memset(padded + len, ' ', room); /* up to 64 KB, which printf is slow at */
	padded[len + room] = '\0';
	env[channel] = padded;
}

/* The environment of the program: ours, what the runtime needs, and the runtime
 * takes it out again before main. */
static char **make_environment(const struct program *p, const char *path, char **argv,
			       int channel_fd, int capture_fd)
{
	size_t len = 0, channel;
	const char *preload = getenv("LD_PRELOAD");
	const char *tunables = getenv("GLIBC_TUNABLES");
	struct strbuf text = {0};
	char **env;

	while (environ[len])
		len++;
	env = mem_zalloc((len + 6) * sizeof(*env));
	len = 0;
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "LD_PRELOAD=", 11) && strncmp(*e, "GLIBC_TUNABLES=", 15) &&
		    strncmp(*e, CHANNEL_ENV "=", strlen(CHANNEL_ENV) + 1))
			env[len++] = *e;
	strbuf_addf(&text, CHANNEL_ENV "=%d %d", channel_fd, capture_fd);
	env[channel = len++] = strbuf_detach(&text);
	/* No restartable sequences: the kernel would write into thread control blocks. */
	strbuf_addf(&text, "GLIBC_TUNABLES=%s%sglibc.pthread.rseq=0", tunables ? tunables : "",
		    tunables ? ":" : "");
	env[len++] = strbuf_detach(&text);
	if (p->options->needs_preload) {
		strbuf_addf(&text, "LD_PRELOAD=%s%s%s", p->options->preload, preload ? ":" : "",
			    preload ? preload : "");
		env[len++] = strbuf_detach(&text);
	} else if (preload) {
		strbuf_addf(&text, "LD_PRELOAD=%s", preload);
		env[len++] = strbuf_detach(&text);
	}
	if (p->options->is_elsewhere) {
		strbuf_addf(&text, "FERMATA_CONFIRMING=%*s", MORE_ENVIRONMENT, "");
		env[len++] = strbuf_detach(&text);
	}
	pad_stack(path, argv, env, channel);
	return env;
}

/* The same file through a path of another length: "/usr/bin/x" as "/././usr/bin/x". A word without
 * a slash stays as it is. */
static char *make_detour(const char *path)
{
	struct strbuf text = {0};

	if (path[0] == '/')
		strbuf_addc(&text, '/');
	for (int i = 0; i < DETOUR_PARTS && strchr(path, '/'); i++)
		strbuf_adds(&text, "./");
	strbuf_adds(&text, path[0] == '/' ? path + 1 : path);
	return strbuf_detach(&text);
}

/* The arguments, of which the first names the program. */
static char **make_arguments(const struct program_options *o)
{
	size_t len = 0;
	char **argv;

	while (o->argv[len])
		len++;
	argv = mem_zalloc((len + 1) * sizeof(*argv));
	if (len)
		memcpy(argv, o->argv, len * sizeof(*argv));
	if (len && o->is_elsewhere)
		argv[0] = make_detour(argv[0]);
	return argv;
}

static void set_limits(const struct program_limits *limits)
{
	for (size_t i = 0; i < limits->len; i++) {
		__rlimit_resource_t resource = (__rlimit_resource_t)limits->items[i].resource;
		struct rlimit limit;

		if (getrlimit(resource, &limit) != 0)
			continue;
		limit.rlim_cur = limits->items[i].soft < limit.rlim_max ? limits->items[i].soft
									: limit.rlim_max;
		setrlimit(resource, &limit);
	}
}

/* High numbers, so that a program that closes or reuses low descriptors does not hit us; lower ones
 * if the limit of open files is small. */
static int move_high(int fd)
{
	int high = -1;

	for (int least = 900; high < 0 && least > 3; least = least * 3 / 4)
		high = fcntl(fd, F_DUPFD, least);
	return high;
}

/* All low ones: the tool opens its own for itself only, but who started the tool may have left some open. */
static void close_all_but(int one, int other)
{
	enum { FIRST = 3, LAST = 99 };

	if (one > LAST && other > LAST && close_range(FIRST, LAST, 0) == 0)
		return;
	for (int fd = FIRST; fd <= LAST; fd++)
		if (fd != one && fd != other)
			close(fd);
}

/* In the child: the program cannot be started under this limit. */
static _Noreturn void refuse(const struct program *p, int resource, const char *why)
{
	char text[96] = "";

	limit_of_resource(resource, text, sizeof(text));
	snprintf(p->channel->message, sizeof(p->channel->message), "%s; %s", why, text);
	_exit(127);
}

/* The runtime reserves addresses, far more than it uses, for the heap of each thread. */
static void check_address_limits(const struct program *p)
{
	char text[96];

	if (limit_of_resource(RLIMIT_AS, text, sizeof(text)))
		refuse(p, RLIMIT_AS, "it reserves more addresses than are allowed");
	if (limit_of_resource(RLIMIT_DATA, text, sizeof(text)))
		refuse(p, RLIMIT_DATA, "it reserves more addresses than are allowed");
}

_Noreturn void start_program(struct program *p, pid_t tool)
{
	const char *stdin_path = p->options->stdin_path ? p->options->stdin_path : "/dev/null";
	struct rlimit no_core = {0, 0};
	const char *path = p->options->is_elsewhere ? make_detour(p->options->path)
						    : p->options->path;
	char **argv = make_arguments(p->options), **env;
	int channel_fd, capture_fd, in;

	end_with_parent(tool);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	setpgid(0, 0);
	setrlimit(RLIMIT_CORE, &no_core);
	personality(ADDR_NO_RANDOMIZE); /* where it is refused the runtime notices */
	in = open(stdin_path, O_RDONLY);
	channel_fd = move_high(p->channel_fd);
	capture_fd = move_high(p->capture_fd);
	if (channel_fd < 0 || capture_fd < 0)
		refuse(p, RLIMIT_NOFILE, "it needs more descriptors than are allowed");
	if (in >= 0)
		dup2(in, 0);
	dup2(capture_fd, 1);
	dup2(capture_fd, 2);
	close_all_but(channel_fd, capture_fd);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGXCPU, SIG_DFL);
	env = make_environment(p, path, argv, channel_fd, capture_fd);
	set_limits(&p->options->limits);
	check_address_limits(p);
	execve(path, argv, env);
	_exit(127);
}
