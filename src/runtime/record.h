/* record.h: facts for reports that only the program's memory has. They are kept while call stacks
 * are recorded (channel.record_stacks), that is for the one run that a report explains: the values
 * that accesses saw and left, the heap blocks that steps touched, the names of threads. */
#ifndef RUNTIME_RECORD_H
#define RUNTIME_RECORD_H

#include "runtime/rt.h"

/* A run begins. */
void rt_record_begin(void);

/* For the two below. */
void rt_record_note_write(const volatile void *address, size_t size);
void rt_record_read_value(void);

/* The step is about to write there. Its value is read when the thread comes back. Both are called
 * in every run, nearly always for nothing. */
static inline void rt_record_write(const volatile void *address, size_t size)
{
	if (RT->channel->record_stacks)
		rt_record_note_write(address, size);
}

static inline void rt_record_settle(void)
{
	if (RT->memory.write_size)
		rt_record_read_value();
}

/* For the two below. */
void rt_record_note_plain(const void *address, size_t size, bool is_write);
void rt_record_read_plain(void);

/* The plain access, whose call stack was just kept, is about to be made. */
static inline void rt_record_plain(const void *address, size_t size, bool is_write)
{
	if (RT->channel->record_stacks)
		rt_record_note_plain(address, size, is_write);
}

/* The thread goes on behind its last plain write. */
static inline void rt_record_settle_plain(void)
{
	if (RT->memory.plain_size)
		rt_record_read_plain();
}

/* A write follows that is not recorded: the value that the last write left is not known. */
static inline void rt_record_forget_plain(const void *address)
{
	if (RT->memory.plain_at == (uint64_t)address)
		RT->memory.plain_size = 0;
}

/* The run is over, and its memory is as the run left it. */
void rt_record_end(void);

#endif
