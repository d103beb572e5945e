/* fingerprint.h: the numbers by which a finding is known outside of one search. (Within one search
 * a finding is known by the code addresses of its sites: core/finding.h.)
 *
 * The *fingerprint* is in file names, in JSON, and is SARIF's partialFingerprints. It is made of the
 * kind, the functions, their files and their roles, and the reason, where the message has one;
 * never of the numbers of lines or of actors. So it stays the same when lines move, when the program
 * is built anew, and on another machine. Two places for which all of these are equal differ by
 *
 *   - the text of the line, without blanks, where the source can be read: `if (x) exit(3);` and
 *     `if (y) exit(3);` of one function are two bugs, also when one of them is mended;
 *   - the ordinal among equal lines: the second assert(n) of a function is the second one after any
 *     edit that leaves the first one there;
 *   - the code address, where the program is stripped and no function is known;
 *   - the file name of the program, where no place has a source file: two stripped programs
 *     that end with exit(3) have two bugs, and a baseline that has one does not hide the other.
 *
 * The *match* leaves these four out. By it a replay knows the finding again: with another build of a
 * stripped program, and without the source files. Of a hang it leaves out the function as well: a
 * loop may call several functions, and the watchdog finds the thread in any of them. The
 * fingerprint of a hang has the function, whether it is the first thread, and the line if the
 * thread is in a call.
 */
#ifndef EXPLAIN_FINGERPRINT_H
#define EXPLAIN_FINGERPRINT_H

#include "core/finding.h"
#include "target/target.h"

uint64_t fingerprint_of(struct target *target, const struct finding *finding);
uint64_t fingerprint_match(struct target *target, const struct finding *finding);

/* The line of the source at which it fails: a hash of its text, and the ordinal among equal lines.
 * *text is 0 if there is not one such line, or its file cannot be read. A replay compares both with
 * those of the saved finding: equal texts with other ordinals are two places of one match. If the
 * texts differ, the source was edited since the program was built, and the ordinals say nothing. */
void fingerprint_line(struct target *target, const struct finding *finding, uint64_t *text,
		      uint32_t *ordinal);

/* The fingerprint as versions made it that saved findings without a match. */
uint64_t fingerprint_first(struct target *target, const struct finding *finding);

#endif
