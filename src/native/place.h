/* place.h: where in the program is a thread that has not come back from a library?
 *
 * Libraries keep no chain of frame pointers, so the runtime hands over every word on the stack of
 * the thread that could be a return address (channel_place), outermost first. Some are left over
 * from calls that have returned, in parts of the stack that the library has not written:
 *
 *     main   called f           real
 *     f      called fopen       real: the thread is in f
 *     g      called snprintf    left over from a call of g, whose frame fopen now covers
 *
 * A real one is confirmed from outside: main's call goes to f, so the next real word is in f; f's
 * call goes to fopen, which is not a function of the program, so the place is in f.
 */
#ifndef NATIVE_PLACE_H
#define NATIVE_PLACE_H

#include <stdint.h>

struct native;

/* The return address in the innermost real frame of the program; `now`, the place of the thread, if
 * that is code of the program itself, or if no frame is known. */
uint64_t place_find(struct native *native, uint64_t now);

#endif
