/* open_file.h: open files, for the two halves of prim_file (reading and writing).
 *
 * An open file is its path and a position: every read and write opens the file anew, so that a
 * restore of the region puts back everything. Writing is refused ({error, erofs}) unless
 * open_file_allow_writing was called (--allow-io), because a restore does not undo it.
 */
#ifndef VM_BIFS_OPEN_FILE_H
#define VM_BIFS_OPEN_FILE_H

#include "vm/bifs/resource.h"
#include "vm/terms/view.h"

struct open_file {
	struct resource resource;
	uint64_t position;
	bool can_write;
	bool appends;
	char path[];
};

/* The part of a machine (machine.h) that belongs to files. */
struct file_writing {
	bool is_allowed;
	bool has_happened;
	bool has_moving; /* open_file_has_moving() */
	int64_t numbers[3]; /* arguments of the call that is being made, besides the path */
};

void open_file_allow_writing(bool allowed);
bool open_file_may_write(void);
/* Notes that files may have changed; whether that has happened since the machine was opened. */
void open_file_note_write(void);
bool open_file_has_written(void);
/* Was a file used whose contents the kernel makes up (/proc, /sys)? They differ from process to
 * process, so that a finding may depend on them and not show again. */
bool open_file_has_moving(void);

/* The file behind t, or NULL. */
struct open_file *open_file_find(struct process *p, term t);

/* The NUL-terminated path that internal_name2native made; false when t is not such a path. */
bool open_file_path(struct view *view, term t);

/* The flags of open(2) for these modes; -1 when modes is not a list. */
int open_file_flags(term modes);

#endif
