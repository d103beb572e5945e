#include "native/demangle.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangler(const char *name, char *buffer, size_t *len, int *status);

void demangle_add(struct strbuf *out, const char *name, size_t room)
{
	char copy[512], *readable = NULL;
	void *library = NULL;
	int status = -1;
	demangler *demangle = NULL;

	snprintf(copy, sizeof(copy), "%.*s", (int)room, name);
	if (strncmp(copy, "_Z", 2) == 0)
		library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
	if (library)
		*(void **)&demangle = dlsym(library, "__cxa_demangle");
	if (demangle)
		readable = demangle(copy, NULL, NULL, &status);
	strbuf_adds(out, readable ? readable : copy);
	free(readable);
	if (library)
		dlclose(library);
}
