#include "cli/replay/debugger.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exits.h"
#include "core/object.h"
#include "explain/names.h"
#include "runtime/stack_keys.h"

enum { OBJECTS_MAX = 1000 };

/* The commands as a file for gdb; the caller removes it. */
static bool write_commands(char path[], struct err *err)
{
	const char *const parts[] = {gdb_py, threads_py};
	int fd = mkstemps(path, (int)strlen(".py"));
	bool ok = fd >= 0;

	for (size_t i = 0; ok && i < sizeof(parts) / sizeof(parts[0]); i++)
		ok = write(fd, parts[i], strlen(parts[i])) == (ssize_t)strlen(parts[i]);
	if (!ok)
		err_set_errno(err, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	return ok;
}

int debugger_wait(pid_t stopped)
{
	char byte;

	printf("%d\n", (int)stopped);
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	kill(stopped, SIGKILL);
	return 0;
}

/* ---- where the bug is ---- */

static bool is_plain(const struct finding_site *site)
{
	return site->step != (uint32_t)TARGET_AT_END && (site->step & (uint32_t)TARGET_OF_PLAIN);
}

/* Twice the number of steps before the site, and one more if the site is a step itself: of two sites
 * without a step in between the plain access comes first. */
static uint64_t time_of(const struct trace *trace, const struct finding_site *site)
{
	uint32_t index = site->step & ~(uint32_t)TARGET_OF_PLAIN;

	if (is_plain(site) && index < trace->plains_len)
		return (uint64_t)trace->plains[index].step * 2;
	return (uint64_t)site->step * 2 + 1;
}

static const struct finding_site *find_second(const struct trace *trace, const struct finding *finding)
{
	const struct finding_site *a = &finding->sites[0], *b = &finding->sites[1];
	uint64_t first = time_of(trace, a), second = time_of(trace, b);

	return first > second || (first == second && a->step > b->step) ? a : b;
}

/* The notice that the finding was made of, or notices_len. */
static uint32_t find_notice(const struct trace *trace, const struct finding *finding)
{
	uint32_t i = 0;

	while (i < trace->notices_len && (trace->notices[i].kind != finding->kind ||
					  trace->notices[i].site != finding->sites[0].site ||
					  trace->notices[i].actor != finding->sites[0].actor))
		i++;
	return i;
}

static void learn_place(struct debugger_bug *bug, const struct trace *trace,
			const struct finding *finding)
{
	const struct finding_site *second;
	uint32_t notice;

	if (!finding->sites_len)
		return;
	notice = find_notice(trace, finding);
	if (notice < trace->notices_len)
		bug->key = (uint32_t)RT_STACK_NOTICE | notice;
	if (finding->kind != FINDING_RACE || finding->sites_len < 2)
		return;
	second = find_second(trace, finding);
	if (is_plain(second))
		bug->key = (uint32_t)RT_STACK_PLAIN | (second->step & ~(uint32_t)TARGET_OF_PLAIN);
	else
		bug->step = second->step + 1;
}

/* An object of a lock, a condition, a semaphore or memory, and its name: "acc[1].lock", "q->lock". */
static void add_object(uint64_t object, const char *name, struct strbuf *out)
{
	if ((OBJECT_CLASS(object) == OBJECT_LOCK || OBJECT_CLASS(object) == OBJECT_COND ||
	     OBJECT_CLASS(object) == OBJECT_SEM || OBJECT_CLASS(object) == OBJECT_MEMORY) &&
	    name[0] && !strstr(name, "0x"))
		strbuf_addf(out, "%lu %s\n", OBJECT_NAME_OF(object), name);
}

/* The last objects that steps touch, at most so many, by the names that the report has for them. */
static void learn_objects(struct debugger_bug *bug, const struct trace *trace,
			  const struct report_finding *words)
{
	uint32_t rows = words->interleaving_len;

	for (uint32_t i = rows > OBJECTS_MAX ? rows - OBJECTS_MAX : 0; i < rows; i++) {
		const struct report_event *row = &words->interleaving[i];

		if (row->step < trace->events_len && row->object)
			add_object(trace->events[row->step].accesses[0].object, row->object,
				   &bug->objects);
	}
}

/* The objects for which threads wait at the end. Their names in the program come first, because gdb takes
 * the last one: the report has names for those that a step has touched. */
static void learn_awaited(struct debugger_bug *bug, struct target *target,
			  const struct trace *trace)
{
	struct strbuf name = {0};

	for (uint32_t i = 0; i < trace->pending_len; i++) {
		if (!trace->pending[i].access_len)
			continue;
		strbuf_clear(&name);
		target->ops->describe_object(target, trace->pending[i].accesses[0].object, &name);
		add_object(trace->pending[i].accesses[0].object, strbuf_text(&name), &bug->objects);
	}
	strbuf_release(&name);
}

void debugger_learn(struct debugger_bug *bug, struct target *target, const struct trace *trace,
		    const struct finding *finding, const struct report_finding *words)
{
	struct arena arena = {0};
	struct names names;

	names_make(&names, target, trace, &arena);
	for (uint32_t i = 0; i < names.len; i++)
		strbuf_addf(&bug->names, "%u %s\n", names.items[i].actor, names.items[i].text);
	arena_release(&arena);
	strbuf_adds(&bug->message, words->message);
	learn_place(bug, trace, finding);
	learn_awaited(bug, target, trace);
	learn_objects(bug, trace, words);
}

void debugger_forget(struct debugger_bug *bug)
{
	strbuf_release(&bug->names);
	strbuf_release(&bug->objects);
	strbuf_release(&bug->message);
}

/* ---- gdb ---- */

static void set_number(const char *name, uint32_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%u", number);
	setenv(name, text, 1);
}

/* For gdb.py: the tool and the finding, to start the program again, and the bug. */
static void set_environment(const char *finding, const struct debugger_bug *bug)
{
	char tool[4096];
	ssize_t len = readlink("/proc/self/exe", tool, sizeof(tool) - 1);

	tool[len > 0 ? len : 0] = '\0';
	setenv("FERMATA_GDB_TOOL", tool, 1);
	setenv("FERMATA_GDB_FINDING", finding, 1);
	setenv("FERMATA_GDB_NAMES", strbuf_text(&bug->names), 1);
	setenv("FERMATA_GDB_OBJECTS", strbuf_text(&bug->objects), 1);
	setenv("FERMATA_GDB_BUG", strbuf_text(&bug->message), 1);
	set_number("FERMATA_GDB_KEY", bug->key);
	set_number("FERMATA_GDB_STEP", bug->step);
}

int debugger_run(pid_t stopped, const char *finding, const struct debugger_bug *bug,
		 struct err *err)
{
	char commands[] = "/tmp/fermata-gdb-XXXXXX.py", number[16];
	int status = 0;
	pid_t gdb;

	if (!write_commands(commands, err))
		return -1;
	snprintf(number, sizeof(number), "%d", (int)stopped);
	gdb = fork();
	if (gdb == 0) {
		set_environment(finding, bug);
		/* Without libthread_db, which gives every fiber the variables of one thread. */
		execlp("gdb", "gdb", "-q", "-iex", "set libthread-db-search-path /dev/null",
		       "-iex", "set print symbol-loading off",
		       "-x", commands, "-p", number, "-ex", "fermata who", (char *)NULL);
		fprintf(stderr, "fermata: cannot start gdb: is it installed?\n");
		_exit(EXIT_USAGE);
	}
	while (gdb > 0 && waitpid(gdb, &status, 0) < 0 && errno == EINTR)
		;
	unlink(commands);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}
