#include "cli/classes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "core/class.h"

bool classes_start(struct classes *classes, const char *path, struct err *err)
{
	*classes = (struct classes){0};
	if (!path)
		return true;
	classes->file = fopen(path, "w");
	return classes->file || err_set(err, "cannot write %s: %s", path, strerror(errno));
}

static bool is_cut(const struct trace *trace)
{
	return trace->end == END_ASLEEP || trace->end == END_HELD || trace->void_turns;
}

void classes_add(struct classes *classes, const struct trace *trace)
{
	if (!classes->file)
		return;
	if (!trace) {
		rewind(classes->file);
		if (ftruncate(fileno(classes->file), 0) != 0)
			clearerr(classes->file);
		return;
	}
	if (is_cut(trace))
		return;
	fprintf(classes->file, "%016" PRIx64 " %s", class_hash(trace), trace_end_text(trace->end));
	for (uint32_t i = 0; i < trace->events_len; i++) {
		char name[ACTOR_NAME_MAX];

		actor_name(trace->actors, trace->events[i].actor, name);
		fprintf(classes->file, " %s:%s", name, event_kind_text(trace->events[i].kind));
	}
	fputc('\n', classes->file);
}

bool classes_finish(struct classes *classes, struct err *err)
{
	if (!classes->file)
		return true;
	if (fclose(classes->file) != 0)
		return err_set(err, "cannot write the file of --classes: %s", strerror(errno));
	return true;
}
