/* err.h: the second kind of error, "the world is wrong".
 *
 * A function that can fail because of the world (a missing file, a corrupt .beam,
 * a child that died) returns false (or NULL) and fills a struct err. The message is one
 * line, fit to be printed as it is: lower case, no full stop, naming the thing at
 * fault.
 *
 *     if (!thing_load(&t, path, err))
 *             goto out;
 *
 * err_prefix() puts words in front of the message, such as the action that failed. A
 * caller that does not care passes NULL.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

/* Which exit status the failure deserves when it reaches the command line. */
enum err_kind {
	ERR_NONE = 0,
	ERR_INPUT,       /* wrong usage or bad input: exit 2 */
	ERR_UNSUPPORTED, /* control lost or something needed is not supported: exit 4 */
};

struct err {
	enum err_kind kind;
	char message[1024];
};

/* Both return false always, so that "return err_set(err, …)" reads well. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool err_set_unsupported(struct err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Puts text in front of the message: "reading x.beam: " + "no such file". Returns false. */
bool err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* err_set with ": " and the text of errno appended. Returns false. */
bool err_set_errno(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
