/* bug.h: the third kind of error, "we are wrong".
 *
 * BUG_ON(cond, format, ...) is compiled in always, release builds included: a
 * checker that continues after its own invariant broke would lie. It prints the
 * condition, the place, the message and whatever the registered note hook adds
 * (the explorer registers one that prints the schedule so far), then aborts.
 *
 * Never use it for what the tested program does (a finding) or for what the
 * world does (struct err).
 */
#ifndef BASE_BUG_H
#define BASE_BUG_H

#define BUG_ON(cond, ...)                                                      \
	do {                                                                   \
		if (__builtin_expect(!!(cond), 0))                             \
			bug_report(__FILE__, __LINE__, #cond, __VA_ARGS__);    \
	} while (0)

_Noreturn void bug_report(const char *file, int line, const char *cond, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Registers a function that prints more context to stderr before the abort. Borrows ctx. */
void bug_set_note(void (*print_note)(void *ctx), void *ctx);

#endif
