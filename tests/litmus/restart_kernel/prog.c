/* The kernel writes into pages that no run has written yet: small things, buffers over
 * several pages, vectors. All of it works, and none of it needs a fork; what libc opens
 * inside, behind our back, does. */
#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>

#include "litmus.h"

enum { PAGE = 4096 };
static _Alignas(PAGE) char pages[24][PAGE];
static atomic_int calls;

static void call_small(char (*page)[PAGE])
{
	OK(stat("/", (struct stat *)page[0]));
	OK(fstatat(1, "/", (struct stat *)page[1], 0));
	OK(uname((struct utsname *)page[2]));
	OK(syscall(SYS_getresgid, page[3], page[3] + 8, page[4] + PAGE - 4));
	OK(getrusage(RUSAGE_SELF, (struct rusage *)page[4]));
	OK(getrlimit(RLIMIT_NOFILE, (struct rlimit *)page[5]));
	OK(syscall(SYS_getresuid, page[6], page[6] + 8, page[7] + PAGE - 4));
	assert(realpath("/..", page[8]) && getcwd(page[9], PAGE));
}

static void call_large(char (*page)[PAGE])
{
	struct iovec vector[] = {{page[4], PAGE}, {page[6], 2 * PAGE}};
	int zeros = STDIN_FILENO; /* see expect */

	assert(pread(zeros, page[0], 3 * PAGE, 0) == 3 * PAGE);
	assert(preadv(zeros, vector, 2, 0) == 3 * PAGE);
}

THREAD(call)
{
	atomic_fetch_add(&calls, 1);
	call_small(pages);
	call_large(pages + 10);
#ifdef INSIDE
	assert(opendir("/"));
#endif
	return NULL;
}

THREAD(look)
{
	atomic_fetch_add(&calls, 1);
	return NULL;
}

int main(void)
{
	RUN(call, look);
	return 0;
}
