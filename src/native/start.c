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
#include "base/parent.h"

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
static void pad_stack(struct start *s, size_t channel)
{
	size_t pointers = 0, bytes = strlen(s->path) + 1, len = strlen(s->env[channel]), room;
	char *padded;

	bytes += count_bytes(s->argv, &pointers) + count_bytes(s->env, &pointers);
	bytes += (pointers + 1) / 2 * 2 * sizeof(char *);
	room = STACK_STRINGS - bytes % STACK_STRINGS;
	padded = arena_alloc(&s->arena, len + room + 1);
	memcpy(padded, s->env[channel], len);
	memset(padded + len, ' ', room); /* up to 64 KB, which printf is slow at */
	padded[len + room] = '\0';
	s->env[channel] = padded;
}

/* The environment of the program: ours, what the runtime needs, and the runtime
 * takes it out again before main. */
static void make_environment(struct start *s, const struct program_options *o)
{
	size_t len = 0, channel;
	const char *preload = getenv("LD_PRELOAD");
	const char *tunables = getenv("GLIBC_TUNABLES");
	char **env;

	while (environ[len])
		len++;
	s->env = env = arena_zalloc(&s->arena, (len + 6) * sizeof(*env));
	len = 0;
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "LD_PRELOAD=", 11) && strncmp(*e, "GLIBC_TUNABLES=", 15) &&
		    strncmp(*e, CHANNEL_ENV "=", strlen(CHANNEL_ENV) + 1))
			env[len++] = *e;
	env[channel = len++] =
		arena_printf(&s->arena, CHANNEL_ENV "=%d %d", s->channel_fd, s->capture_fd);
	/* No restartable sequences: the kernel would write into thread control blocks. */
	env[len++] = arena_printf(&s->arena, "GLIBC_TUNABLES=%s%sglibc.pthread.rseq=0",
				  tunables ? tunables : "", tunables ? ":" : "");
	if (o->needs_preload)
		env[len++] = arena_printf(&s->arena, "LD_PRELOAD=%s%s%s", o->preload,
					  preload ? ":" : "", preload ? preload : "");
	else if (preload)
		env[len++] = arena_printf(&s->arena, "LD_PRELOAD=%s", preload);
	if (o->is_elsewhere)
		env[len++] = arena_printf(&s->arena, "FERMATA_CONFIRMING=%*s", MORE_ENVIRONMENT, "");
	pad_stack(s, channel);
}

/* The same file through a path of another length: "/usr/bin/x" as "/././usr/bin/x". A word without
 * a slash stays as it is. */
static char *make_detour(struct start *s, const char *path)
{
	size_t root = path[0] == '/', parts = strchr(path, '/') ? DETOUR_PARTS : 0;
	char *detour = arena_alloc(&s->arena, strlen(path) + 2 * parts + 1);

	memcpy(detour, path, root);
	for (size_t i = 0; i < parts; i++)
		memcpy(detour + root + 2 * i, "./", 2);
	strcpy(detour + root + 2 * parts, path + root);
	return detour;
}

/* The arguments, of which the first names the program. */
static void make_arguments(struct start *s, const struct program_options *o)
{
	size_t len = 0;

	while (o->argv[len])
		len++;
	s->argv = arena_zalloc(&s->arena, (len + 1) * sizeof(*s->argv));
	if (len)
		memcpy(s->argv, o->argv, len * sizeof(*s->argv));
	if (len && o->is_elsewhere)
		s->argv[0] = make_detour(s, s->argv[0]);
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

void start_prepare(struct start *s, const struct program *p)
{
	const struct program_options *o = p->options;

	*s = (struct start){.channel_fd = move_high(p->channel_fd),
			    .capture_fd = move_high(p->capture_fd)};
	s->path = o->is_elsewhere ? make_detour(s, o->path) : o->path;
	make_arguments(s, o);
	make_environment(s, o);
}

void start_release(struct start *s)
{
	if (s->channel_fd >= 0)
		close(s->channel_fd);
	if (s->capture_fd >= 0)
		close(s->capture_fd);
	arena_release(&s->arena);
}

_Noreturn void start_program(const struct start *s, struct program *p, pid_t tool)
{
	const char *stdin_path = p->options->stdin_path ? p->options->stdin_path : "/dev/null";
	struct rlimit no_core = {0, 0};
	int in;

	end_with_parent(tool);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	setpgid(0, 0);
	setrlimit(RLIMIT_CORE, &no_core);
	personality(ADDR_NO_RANDOMIZE); /* where it is refused the runtime notices */
	in = open(stdin_path, O_RDONLY);
	if (s->channel_fd < 0 || s->capture_fd < 0)
		refuse(p, RLIMIT_NOFILE, "it needs more descriptors than are allowed");
	if (in >= 0)
		dup2(in, 0);
	dup2(s->capture_fd, 1);
	dup2(s->capture_fd, 2);
	close_all_but(s->channel_fd, s->capture_fd);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGXCPU, SIG_DFL);
	set_limits(&p->options->limits);
	check_address_limits(p);
	execve(s->path, s->argv, s->env);
	_exit(127);
}
