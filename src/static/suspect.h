/* suspect.h: the results of the static analysis, as plain data.
 *
 * A suspect is a pair of code sites: at the first, shared data is read; at the second, later
 * on some path of the same process, the code relies on the value that was read. If another
 * process writes in between, the second site works with an outdated value.
 *
 * Nothing here refers to the analysis: the array can be printed, stored, compared with an
 * older one, or handed to the explorer. For the explorer, (module, function, line, call) of
 * the two ends names two events; it puts another process's write between them.
 */
#ifndef STATIC_SUSPECT_H
#define STATIC_SUSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct suspect_site {
	const char *module;
	const char *file;     /* as the Line chunk names it */
	const char *beam;     /* path of the .beam file */
	uint32_t line;        /* 0: not known */
	const char *function; /* name/arity */
	const char *call;     /* module:function/arity that is called there */
	bool is_tail;         /* a tail call: nothing of the caller is left while it runs */
};

enum suspect_confidence { SUSPECT_LOW, SUSPECT_MEDIUM, SUSPECT_HIGH };

enum suspect_outcome {
#define OUTCOME(name, word, text) SUSPECT_##name,
#include "static/outcome.def"
#undef OUTCOME
};

/* The outcome of exploring a test for the suspect. */
struct suspect_trial {
	enum suspect_outcome outcome;
	const char *test;   /* the test; or NULL */
	const char *path;   /* of the saved finding, if confirmed */
	const char *fails;  /* how the test fails in that schedule; "" if it passes */
	const char *detail; /* why it could not be tried, or not to the end; or "" */
};

/* How it could be tried without a test: its function in two processes at once. */
struct suspect_driver {
	const char *function; /* name */
	const char *opener;   /* MODULE:FUNCTION to be called before; or "" */
	const char *args[3];  /* guesses: atoms and integers by spaces */
	uint32_t args_len;    /* 0: it cannot be called */
	const char *why_not;
};

struct suspect {
	const char *kind;   /* "ets", "registry", ... (builtin.def) */
	const char *what;   /* "an ETS table" */
	const char *why;    /* why it is a race */
	const char *fix;    /* the usual repair */
	const char *module; /* of the function in which the pair was found */
	const char *function;
	struct suspect_site read;
	struct suspect_site write;
	struct suspect_site *path; /* calls from function to the read, then to the write */
	size_t path_len;
	size_t read_path_len; /* as many of them lead to the read */
	struct suspect_site rival; /* a write of other code that can come in between */
	const char *rival_entry; /* module:function/arity its process gets there from; or "" */
	bool has_rival; /* else the same code does, in another process */
	bool is_use;    /* the second end uses a name and changes nothing */
	const char *accepted; /* the reason of a fermata-ignore comment; or NULL */
	const char *table; /* what is shared, as text; "" where the store is one */
	const char *key;
	enum suspect_confidence confidence;
	const char *reason;   /* of a confidence that is not high, else "" */
	uint64_t fingerprint; /* the same after edits that only move lines; of this one alone */
	struct suspect_driver driver;
	struct suspect_trial trial;
};

/* A file that could not be read: one line each. */
struct suspects {
	struct suspect *items; /* by module, line of the read, line of the write */
	size_t len;
	struct suspect *ignored; /* accepted by comments in the source */
	size_t ignored_len;
	size_t suppressed; /* by a file of rules: no longer among items */
	const char **errors;
	size_t errors_len;
	size_t modules;
	size_t functions;
	/* of --confirm, added up over what was run */
	bool were_tried;
	size_t executions;
};

const char *suspect_confidence_name(enum suspect_confidence confidence);
const char *suspect_outcome_word(enum suspect_outcome outcome);
const char *suspect_outcome_text(enum suspect_outcome outcome);

#endif
