#include "cli/search/classes.h"

#include <inttypes.h>

#include "base/file.h"
#include "core/class.h"

void classes_start(struct classes *classes, const char *path)
{
	*classes = (struct classes){.path = path};
}

void classes_add(struct classes *classes, const struct trace *trace)
{
	if (!trace)
		classes->text.len = 0;
	if (!classes->path || !trace || trace_is_cut(trace))
		return;
	strbuf_addf(&classes->text, "%016" PRIx64 " %s", class_hash(trace),
		    trace_end_text(trace->end));
	for (uint32_t i = 0; i < trace->events_len; i++) {
		char name[ACTOR_NAME_MAX];

		actor_name(trace->actors, trace->events[i].actor, name);
		strbuf_addf(&classes->text, " %s:%s", name, event_kind_text(trace->events[i].kind));
	}
	strbuf_addc(&classes->text, '\n');
}

bool classes_finish(struct classes *classes, struct err *err)
{
	bool ok = !classes->path || file_write(classes->path, strbuf_text(&classes->text),
					       classes->text.len, err);

	strbuf_release(&classes->text);
	return ok;
}
