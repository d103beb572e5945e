/* framework.h: the failed check of a test framework, read from what the program printed.
 *
 * GoogleTest, Catch2, doctest, Check and cmocka end a program whose test failed with a status, which
 * says neither where nor why. All of them print both, each in its own form. A program that prints
 * such a line and ends well has not failed (a test can expect its own failure), so the status still
 * decides whether there is a finding, and the text only explains it.
 */
#ifndef DETECT_FRAMEWORK_H
#define DETECT_FRAMEWORK_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the first failed check as "FILE:LINE: text" in one line, like the message of assert(), or
 * "text" if the framework does not know the place. False if not found. */
bool framework_failure(const char *output, size_t len, char *message, size_t room);

/* Reads "FILE:LINE: " at the beginning of a message: the length of FILE, and LINE. */
bool framework_place(const char *message, size_t *file_len, unsigned *line);

#endif
