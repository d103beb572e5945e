/* suspect.h: what the static analysis found, as plain data.
 *
 * A suspect is a pair of code sites: something shared is read at one, and at the other,
 * later on some path of the same process, something is done that relies on what was read.
 * If another process writes in between, the second acts on what is no longer so.
 *
 * Nothing here refers to the analysis: the array can be printed, stored, compared with an
 * older one, or handed to the explorer, for which (module, function, line, call) of the
 * two ends names the events to put another process's write between.
 */
#ifndef STATIC_SUSPECT_H
#define STATIC_SUSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct suspect_site {
	const char *module;
	const char *file;     /* as the Line chunk names it */
	uint32_t line;        /* 0: not known */
	const char *function; /* name/arity */
	const char *call;     /* module:function/arity that is called there */
};

enum suspect_confidence { SUSPECT_LOW, SUSPECT_MEDIUM, SUSPECT_HIGH };

struct suspect {
	const char *kind;   /* "ets", "registry", ... (builtin.def) */
	const char *what;   /* "an ETS table" */
	const char *why;    /* it is a race */
	const char *fix;    /* that usually helps */
	const char *module; /* where the two ends come together */
	const char *function;
	struct suspect_site read;
	struct suspect_site write;
	struct suspect_site *path; /* calls from function to the read, then to the write */
	size_t path_len;
	const char *table; /* what is shared, as text; "" where the store is one */
	const char *key;
	enum suspect_confidence confidence;
	const char *reason;   /* of a confidence that is not high, else "" */
	uint64_t fingerprint; /* the same after edits that only move lines */
};

/* A file that could not be read: one line each. */
struct suspects {
	struct suspect *items; /* by module, line of the read, line of the write */
	size_t len;
	const char **errors;
	size_t errors_len;
	size_t modules;
	size_t functions;
};

const char *suspect_confidence_name(enum suspect_confidence confidence);

#endif
