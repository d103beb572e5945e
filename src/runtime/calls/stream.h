/* stream.h: a C++ stream is used by a function of the library, which has no hooks. */
#ifndef RUNTIME_CALLS_STREAM_H
#define RUNTIME_CALLS_STREAM_H

#include <stdint.h>

void rt_stream_use(const char *stream, uint64_t site);

#endif
