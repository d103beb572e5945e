/* format.h: the arguments of the printf and scanf families, as accesses to memory. */
#ifndef RUNTIME_CALLS_FORMAT_H
#define RUNTIME_CALLS_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/* Notes what a call with this format is about to read (the format, %s) and to write (%n). The list
 * itself is not used up. A format that is not understood is noted as not modelled. */
void rt_format_print(const char *format, va_list args, uint64_t site);

/* Notes what a scan with this format may write. Strings of unknown length count as one byte; after
 * the scan (is_over) as what was written. */
void rt_format_scan(const char *format, va_list args, bool is_over, uint64_t site);

#endif
