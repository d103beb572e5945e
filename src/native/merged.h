/* merged.h: does an object that carries our note also have code that is not ours?
 *
 * `ld -r` makes one object of several, and the note of one is then the note of all. An object
 * made by the wrapper lists every name that it defines (asm_scan.h), so a name in its code that
 * is not in the list came from elsewhere.
 */
#ifndef NATIVE_MERGED_H
#define NATIVE_MERGED_H

#include <stdbool.h>

/* `name` is the path of an object, or of a member of an archive: "lib.a(member.o)". False also
 * if the file cannot be read. */
bool merged_has_foreign_code(const char *name);

#endif
