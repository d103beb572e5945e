/* demangle.h: names of C++ functions as people write them: std::__basic_file<char>::~__basic_file()
 * for _ZNSt12__basic_fileIcED1Ev. The C++ library has the demangler; programs that need it have the
 * library. Names of C functions, and names of which a part is missing, stay as they are. */
#ifndef NATIVE_DEMANGLE_H
#define NATIVE_DEMANGLE_H

#include <stdbool.h>

#include "base/strbuf.h"

/* The function of the C++ library, once it was looked for; {0} at first. */
struct demangler {
	char *(*call)(const char *name, char *buffer, size_t *len, int *status); /* NULL: not there */
	bool has_looked;
};

/* The readable name, for free(). NULL if it is not a name of C++, or without the library. */
char *demangle(struct demangler *demangler, const char *name);

/* Adds the name, which ends at its NUL or after `room` bytes. */
void demangle_add(struct strbuf *out, const char *name, size_t room);

/* Adds a readable name as the program spells it, without its type of result and its parameters:
 *
 *	void std::vector<std::__cxx11::basic_string<char, std::char_traits<char>,
 *	std::allocator<char> >, std::allocator<...> >::emplace_back<char const*>(char const*&&)
 *
 * is std::vector<std::string>::emplace_back<char const*>. Arguments of the library's templates that
 * nearly always are the default ones (allocators, comparisons, hashes) are left out. */
void demangle_shorten(struct strbuf *out, const char *readable);

#endif
