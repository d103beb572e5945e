/* embedded.h: the Erlang modules of the tool itself, compiled into it.
 *
 * Some work of the tool is easiest in Erlang: walking over the tests of EUnit and ExUnit, starting
 * applications. The modules are in src/vm/erlang; embed.py compiles them at build time and writes
 * their bytes as a C file. The loader looks here when a module is not on the search path, so the
 * modules need not be installed. A build without erlc does not contain any.
 *
 * To add one: a file erlang/fermata_<topic>.erl and its name in meson.build.
 */
#ifndef VM_CODE_EMBEDDED_H
#define VM_CODE_EMBEDDED_H

#include <stddef.h>

struct embedded_module {
	const char *name; /* NULL at the end of the table */
	const unsigned char *bytes;
	size_t len;
};

extern const struct embedded_module embedded_modules[];

#endif
