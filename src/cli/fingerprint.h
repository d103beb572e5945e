/* fingerprint.h: the number by which a finding is known outside of one search: in file names, in
 * JSON, as SARIF's partialFingerprints, and for replay.
 *
 * It is made of the kind, the functions and their roles, and the reason, where the message has
 * one; never of lines, addresses or actors. So it stays the same when lines move, when the program
 * is built anew, and on another machine. (Within one search a finding is known by the code
 * addresses of its sites: core/finding.h.) */
#ifndef CLI_FINGERPRINT_H
#define CLI_FINGERPRINT_H

#include "core/finding.h"
#include "target/target.h"

uint64_t fingerprint_of(struct target *target, const struct finding *finding);

#endif
