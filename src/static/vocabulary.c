#include "static/vocabulary.h"

#define LEN(array) (sizeof(array) / sizeof((array)[0]))
#define WEAK BUILTIN_WEAK
#define ACTIVITY BUILTIN_ACTIVITY
#define MODES BUILTIN_MODES

const struct builtin builtins[] = {
#define KIND(id, name, what, why, fix)
#define BUILTIN(module, function, arity, kind, role, table, key, argument, flags) \
	{module, function, arity, RACE_##kind, ROLE_##role, table, KEY_##key, argument, flags},
#include "static/builtin.def"
#undef KIND
#undef BUILTIN
};
const size_t builtins_len = LEN(builtins);

const struct hof hofs[] = {
#define HOF(module, function, arity, argument, how) {module, function, arity, argument, HOF_##how},
#include "static/hof.def"
#undef HOF
};
const size_t hofs_len = LEN(hofs);

const struct callback callbacks[] = {
#define CALLBACK(behaviour, function, arity) {behaviour, function, arity},
#define START(module, function, arity, name, callbacks)
#include "static/callback.def"
#undef CALLBACK
#undef START
};
const size_t callbacks_len = LEN(callbacks);

const struct start starts[] = {
#define CALLBACK(behaviour, function, arity)
#define START(module, function, arity, name, callbacks) {module, function, arity, name, callbacks},
#include "static/callback.def"
#undef CALLBACK
#undef START
};
const size_t starts_len = LEN(starts);

static const struct race_kind_info kinds[] = {
#define KIND(id, name, what, why, fix) [RACE_##id] = {name, what, why, fix},
#define BUILTIN(module, function, arity, kind, role, table, key, argument, flags)
#include "static/builtin.def"
#undef KIND
#undef BUILTIN
};

const struct race_kind_info *race_kind_info(enum race_kind kind)
{
	return &kinds[kind];
}

bool race_kind_is_confinable(enum race_kind kind)
{
	return kind == RACE_ETS || kind == RACE_ATOMICS || kind == RACE_COUNTERS;
}
