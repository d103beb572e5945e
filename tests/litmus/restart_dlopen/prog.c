/* A library loaded by a thread cannot be undone by putting memory back; one that was there
 * before the first thread is part of what is put back. */
#include <dlfcn.h>

#include "litmus.h"

static atomic_int loaded;

static void load(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);

	assert(library && dlsym(library, "cbrt"));
}

THREAD(run)
{
#ifndef BEFORE
	load();
#endif
	atomic_fetch_add(&loaded, 1);
	return NULL;
}

int main(void)
{
#ifdef BEFORE
	load();
#endif
	RUN(run, run);
	assert(loaded == 2);
	return 0;
}
