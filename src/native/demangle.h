/* demangle.h: names of C++ functions as people write them: std::__basic_file<char>::~__basic_file()
 * for _ZNSt12__basic_fileIcED1Ev. The C++ library has the demangler; programs that need it have the
 * library. Names of C functions, and names of which a part is missing, stay as they are. */
#ifndef NATIVE_DEMANGLE_H
#define NATIVE_DEMANGLE_H

#include "base/strbuf.h"

/* Adds the name, which ends at its NUL or after `room` bytes. */
void demangle_add(struct strbuf *out, const char *name, size_t room);

#endif
