/* environment.h: environment variables as the program sees them: the host's, with the program's
 * own changes on top. The changes live in the region, and a restore undoes them; the host's
 * variables are never changed. */
#ifndef VM_BIFS_ENVIRONMENT_H
#define VM_BIFS_ENVIRONMENT_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "vm/vm.h"

struct environment {
	struct environment *next;
	size_t bytes_len;   /* of this block */
	const char *name;   /* in text */
	const char *value;  /* in text; NULL: the program removed the variable */
	char text[];
};

/* Which of the host's variables the program has asked for, in all runs together. */
struct environment_asked {
	VEC(char *) names; /* owned */
	bool is_all;       /* it has asked for all of them */
};

/* Calls visit for every name that was asked for; returns true if all were. */
bool environment_list_asked(void (*visit)(void *ctx, const char *name), void *ctx);
void environment_forget_asked(void);

/* The value, or NULL. Valid until the next change. */
const char *environment_get(struct vm *vm, const char *name);
/* value NULL removes the variable. */
void environment_set(struct vm *vm, const char *name, const char *value);
/* Calls visit for every variable, the program's own first. */
void environment_each(struct vm *vm, void (*visit)(void *ctx, const char *name, const char *value),
		      void *ctx);

#endif
