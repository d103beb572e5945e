#include "cli/search/watched.h"

static struct watch_place place_of(const struct suspect_site *site)
{
	return (struct watch_place){
		.module = site->module,
		.function = site->function,
		.file = site->file,
		.line = site->line,
		.call = site->call,
		.is_tail = site->is_tail,
	};
}

void watched_add(struct watch *watch, const struct suspect *suspect)
{
	struct watch_place read = place_of(&suspect->read), write = place_of(&suspect->write);

	watch_add(watch, &read, &write);
}

static json_t *place_json(const struct watch_place *place)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:s, s:b}", "module", place->module, "function",
			 place->function, "file", place->file, "line", (int)place->line, "call",
			 place->call, "tail", (int)place->is_tail);
}

json_t *watched_json(const struct watch *watch, const struct watch_pair *pair)
{
	return json_pack("{s:o, s:o}", "read", place_json(&watch->places.items[pair->read]),
			 "write", place_json(&watch->places.items[pair->write]));
}

static bool load_place(struct watch_place *place, json_t *json)
{
	int line, is_tail;

	if (json_unpack(json, "{s:s, s:s, s:s, s:i, s:s, s:b}", "module", &place->module,
			"function", &place->function, "file", &place->file, "line", &line, "call",
			&place->call, "tail", &is_tail) != 0 || line < 0)
		return false;
	place->line = (uint32_t)line;
	place->is_tail = is_tail;
	return true;
}

bool watched_load(struct watch *watch, const json_t *json)
{
	struct watch_place read, write;

	if (!load_place(&read, json_object_get(json, "read")) ||
	    !load_place(&write, json_object_get(json, "write")))
		return false;
	watch_add(watch, &read, &write);
	return true;
}
