#include "runtime/intercept.h"

#include <dlfcn.h>

#if RT_STATIC

void rt_intercept_init(void)
{
	/* The linker has done it. */
}

#else

struct rt_real rt_real RT_RARELY;

void rt_intercept_init(void)
{
	if (rt_real.ready || rt_real.filling)
		return;
	rt_real.filling = true;
#define INTERCEPTED(name, family) rt_real.name = dlsym(RTLD_NEXT, #name);
#include "runtime/intercept.def"
#undef INTERCEPTED
	rt_real.call_tls_dtors = dlsym(RTLD_NEXT, "__call_tls_dtors");
	rt_real.filling = false;
	rt_real.ready = true;
}

#endif
