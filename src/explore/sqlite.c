#include "explore/sqlite.h"

#include <dlfcn.h>

#define LIBRARY "libsqlite3.so.0"

static bool find_call(void *library, const char *name, void **call)
{
	*call = dlsym(library, name);
	return *call;
}

bool sqlite_load(struct sqlite *sqlite, struct err *err)
{
	void *library = dlopen(LIBRARY, RTLD_LAZY);
	bool ok = library;

#define CALL(name) ok = ok && find_call(library, "sqlite3_" #name, (void **)&sqlite->name);
#include "explore/sqlite.def"
#undef CALL
	return ok || err_set(err, "a search cannot be saved: %s", dlerror());
}
