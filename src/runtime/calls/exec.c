/* exec.c: calls that put another program in the place of the tested one.
 *
 * The other program is not controlled, so control is lost. A child that the program forked before
 * its first thread is not controlled anyway and may call them. A call that will fail, because the
 * program does not exist, is let through. */
#include <alloca.h>
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "runtime/calls/arguments.h"
#include "runtime/intercept.h"
#include "runtime/rt.h"
#include "runtime/rt_sys.h"

static bool has_slash(const char *path)
{
	while (*path && *path != '/')
		path++;
	return *path;
}

/* `path` is NULL if a descriptor names the program. A name without a slash is looked for in PATH. */
static void refuse(const char *call, const char *path, char *const *argv, char *const *envp,
		   uint64_t site)
{
	rt_reads_text(path, site);
	rt_reads_texts(argv, site);
	rt_reads_texts(envp, site);
	if (rt_running())
		rt_lost("the program called %s while it had threads", call);
	if (!rt_active() ||
	    (path && has_slash(path) && rt_syscall(SYS_access, path, X_OK, 0) != 0))
		return;
	rt_lost("the program called %s before its first thread: another program would take its place",
		call);
}

INTERCEPT(int, execve, (const char *path, char *const argv[], char *const envp[]))
{
	refuse("execve", path, argv, envp, RT_SITE);
	return REAL(execve)(path, argv, envp);
}

INTERCEPT(int, execv, (const char *path, char *const argv[]))
{
	refuse("execv", path, argv, NULL, RT_SITE);
	return REAL(execv)(path, argv);
}

INTERCEPT(int, execvp, (const char *file, char *const argv[]))
{
	refuse("execvp", file, argv, NULL, RT_SITE);
	return REAL(execvp)(file, argv);
}

INTERCEPT(int, execvpe, (const char *file, char *const argv[], char *const envp[]))
{
	refuse("execvpe", file, argv, envp, RT_SITE);
	return REAL(execvpe)(file, argv, envp);
}

INTERCEPT(int, fexecve, (int fd, char *const argv[], char *const envp[]))
{
	refuse("fexecve", NULL, argv, envp, RT_SITE);
	return REAL(fexecve)(fd, argv, envp);
}

/* The arguments up to NULL, with it. */
static size_t count_arguments(va_list list)
{
	size_t len = 2;

	while (va_arg(list, char *))
		len++;
	return len;
}

static void take_arguments(char **argv, const char *first, va_list *list)
{
	*argv++ = (char *)first;
	while ((*argv = va_arg(*list, char *)))
		argv++;
}

/* In the frame of the function: argv from its parameters, read with a list that goes on behind. */
#define TAKE_ARGUMENTS(argv, first, list) \
	char **argv; \
	va_list list; \
	va_start(list, first); \
	argv = alloca((first ? count_arguments(list) : 1) * sizeof(*argv)); \
	va_end(list); \
	va_start(list, first); \
	argv[0] = NULL; \
	if (first) \
		take_arguments(argv, first, &list)

INTERCEPT(int, execl, (const char *path, const char *first, ...))
{
	TAKE_ARGUMENTS(argv, first, list);
	va_end(list);
	refuse("execl", path, argv, NULL, RT_SITE);
	return REAL(execv)(path, argv);
}

INTERCEPT(int, execlp, (const char *file, const char *first, ...))
{
	TAKE_ARGUMENTS(argv, first, list);
	va_end(list);
	refuse("execlp", file, argv, NULL, RT_SITE);
	return REAL(execvp)(file, argv);
}

INTERCEPT(int, execle, (const char *path, const char *first, ...))
{
	char **envp;

	TAKE_ARGUMENTS(argv, first, list);
	envp = va_arg(list, char **);
	va_end(list);
	refuse("execle", path, argv, envp, RT_SITE);
	return REAL(execve)(path, argv, envp);
}
