/* embedded.h: Erlang modules of our own, compiled into the tool.
 *
 * Some of what the tool does to Erlang programs is best said in Erlang: walking over the tests
 * of EUnit and ExUnit, starting applications. Those modules are in src/beam/erlang; embed.py
 * compiles them at build time and writes their bytes as a C file. The loader looks here after
 * the code path, so nothing has to be installed or found. A build without erlc has none.
 *
 * To add one: a file erlang/fermata_<what>.erl and its name in meson.build.
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
