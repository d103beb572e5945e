#include "native/cc.h"

#include <errno.h>
#include <dirent.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

/* ---- processes ---- */

static bool wait_for(pid_t pid, int *status, struct err *err)
{
	int raw;

	while (waitpid(pid, &raw, 0) < 0)
		if (errno != EINTR)
			return err_set_errno(err, "waiting for the compiler");
	*status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
	return true;
}

static int spawn_command(pid_t *pid, const struct cc_words *command, char **argv)
{
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int failed;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGQUIT);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	failed = posix_spawnp(pid, command->items[0], NULL, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

bool cc_run(const struct cc_words *command, int *status, struct err *err)
{
	char **argv = mem_alloc((command->len + 1) * sizeof(*argv));
	void (*old_int)(int), (*old_quit)(int);
	pid_t pid;
	bool ok;
	int failed;

	for (size_t i = 0; i < command->len; i++)
		argv[i] = (char *)command->items[i];
	argv[command->len] = NULL;
	/* The compiler gets the interrupt too; we stay to remove our temporary files. */
	old_int = signal(SIGINT, SIG_IGN);
	old_quit = signal(SIGQUIT, SIG_IGN);
	failed = spawn_command(&pid, command, argv);
	if (failed) {
		errno = failed;
		ok = err_set_errno(err, "cannot run %s", argv[0]);
	} else {
		ok = wait_for(pid, status, err);
	}
	signal(SIGINT, old_int);
	signal(SIGQUIT, old_quit);
	mem_free(argv);
	return ok;
}

/* ---- which compiler ---- */

/* gcc-12 -> g++-12, clang -> clang++; anything else stays (it may do both). */
static const char *cxx_of(struct cc *cc, const char *compiler)
{
	const char *name = file_base_name(compiler);
	int folder = (int)(name - compiler);
	const char *found;

	if ((found = strstr(name, "clang")) && !strstr(name, "++"))
		return arena_printf(&cc->arena, "%.*sclang++%s", (int)(found - compiler), compiler,
				    found + 5);
	if ((found = strstr(name, "gcc")))
		return arena_printf(&cc->arena, "%.*sg++%s", (int)(found - compiler), compiler,
				    found + 3);
	if (strcmp(name, "cc") == 0)
		return arena_printf(&cc->arena, "%.*sc++", folder, compiler);
	return compiler;
}

static const char *compiler_text(struct cc *cc, bool cxx)
{
	const char *c_text = getenv("FERMATA_CC"), *cxx_text = getenv("FERMATA_CXX");

	if (cc->args.compiler)
		return cxx ? cxx_of(cc, cc->args.compiler) : cc->args.compiler;
	if (cxx && cxx_text && *cxx_text)
		return cxx_text;
	if (c_text && *c_text)
		return cxx ? cxx_of(cc, c_text) : c_text;
	return cxx ? "g++" : "gcc";
}

/* A name like "cc" does not tell: ask. */
static bool says_clang(struct cc *cc)
{
	char line[256] = "", command[512];
	FILE *pipe;

	if (strchr(vec_last(&cc->compiler)[0], '\''))
		return false;
	snprintf(command, sizeof(command), "'%s' --version 2>/dev/null",
		 vec_last(&cc->compiler)[0]);
	pipe = popen(command, "r");
	if (!pipe)
		return false;
	if (!fgets(line, sizeof(line), pipe))
		line[0] = '\0';
	pclose(pipe);
	return strstr(line, "clang") != NULL;
}

bool cc_choose_compiler(struct cc *cc, bool cxx, struct err *err)
{
	char *text = arena_strdup(&cc->arena, compiler_text(cc, cxx)), *save = NULL;
	const char *name;

	for (char *word = strtok_r(text, " \t", &save); word; word = strtok_r(NULL, " \t", &save))
		cc_words_add(&cc->compiler, word);
	if (cc->compiler.len == 0)
		return err_set(err, "no compiler named in FERMATA_CC or --fermata-compiler");
	name = file_base_name(*vec_last(&cc->compiler));
	if (strncmp(name, "fermata", 7) == 0)
		return err_set(err, "the compiler to use cannot be %s itself", name);
	if (strstr(name, "clang"))
		cc->is_clang = true;
	else if (!strstr(name, "gcc") && !strstr(name, "g++"))
		cc->is_clang = says_clang(cc);
	return true;
}

/* ---- folders ---- */

static bool find_exe_dir(struct cc *cc, struct err *err)
{
	char exe[4096];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (len < 0)
		return err_set_errno(err, "/proc/self/exe");
	exe[len] = '\0';
	*strrchr(exe, '/') = '\0';
	cc->exe_dir = arena_strdup(&cc->arena, exe);
	return true;
}

const char *cc_own_file(struct cc *cc, const char *name, struct err *err)
{
	/* Installed; then as the build leaves it. */
	static const char *const places[] = {"../" FERMATA_LIB_SUBDIR, "..", ".",
					     "src/runtime", "src/native"};

	if (!cc->exe_dir && !find_exe_dir(cc, err))
		return NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *real = realpath(arena_printf(&cc->arena, "%s/%s/%s", cc->exe_dir, places[i],
						   name), NULL);
		const char *path = real ? arena_strdup(&cc->arena, real) : NULL;

		free(real);
		if (path)
			return path;
	}
	err_set(err, "%s is missing: neither in %s nor in %s/%s", name, cc->exe_dir, cc->exe_dir,
		places[0]);
	return NULL;
}

const char *cc_temp_path(struct cc *cc, const char *name, struct err *err)
{
	const char *parent = getenv("TMPDIR");

	if (!cc->temp_dir) {
		char *made = arena_printf(&cc->arena, "%s/fermata-cc.XXXXXX",
					  parent && *parent ? parent : "/tmp");

		if (!mkdtemp(made)) {
			err_set_errno(err, "cannot make a temporary folder %s", made);
			return NULL;
		}
		cc->temp_dir = made;
	}
	return arena_printf(&cc->arena, "%s/%s", cc->temp_dir, name);
}

void cc_remove_temp_dir(struct cc *cc)
{
	struct dirent *entry;
	DIR *dir = cc->temp_dir ? opendir(cc->temp_dir) : NULL;

	if (!dir)
		return;
	while ((entry = readdir(dir)) != NULL)
		unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	rmdir(cc->temp_dir);
}
