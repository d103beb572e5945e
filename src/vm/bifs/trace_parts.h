/* trace_parts.h: functions that trace.c and trace_pattern.c share. */
#ifndef VM_BIFS_TRACE_PARTS_H
#define VM_BIFS_TRACE_PARTS_H

#include "vm/process/process.h"

/* badarg, unless the arguments were refused by name. */
term trace_refuse(struct process *p);
/* erlang:trace_pattern/3; meta tracing without a tracer goes to this process. */
term trace_do_pattern(struct process *p, const term *args, term tracer);
/* The bit of a flag of erlang:trace/3; 0: there is not one here. */
uint32_t trace_flag_bit(term t);

#endif
