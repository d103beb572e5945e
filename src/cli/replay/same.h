/* same.h: is a finding of a replay the one that was saved?
 *
 * A build knows its own findings by their match (explain/fingerprint.h). Another build of the same
 * program may put the same access into another function, because the compiler inlines more or less:
 *
 *     -O2   S is written in main::lambda
 *     -O0   S is written in std::string::_M_set_length, called by main::lambda
 *
 * So a race is also known by its sentence, which names the variable and the threads. The sentence is
 * compared without its numbers. It is known by its two lines of source, too: a variable that has a
 * name at one level has none at another ("head", "a std::shared_ptr<Node>"). And a failure that ends
 * the run is known by the way to it.
 */
#ifndef CLI_SAME_H
#define CLI_SAME_H

#include "core/finding.h"
#include "explore/save.h"
#include "target/target.h"

bool same_as_saved(struct target *target, const struct finding *finding, const struct saved *saved);

/* By its sentence. Right after the target ran `trace` with stacks recorded. */
bool same_in_words(struct target *target, const struct trace *trace, const struct finding *finding,
		   const struct saved *saved);

/* Is its sentence exactly the saved one? One run may have several races that are known as the saved
 * one. A failure that ends the run is the only one; it is not asked for its sentence. */
bool same_sentence(struct target *target, const struct trace *trace, const struct finding *finding,
		   const struct saved *saved);

/* So many steps of the run are the recorded ones, from the first on. */
uint32_t same_way(const struct trace *trace, const struct saved *saved);

/* Is a finding of this kind a failure that ends the run? */
bool same_ends_run(enum finding_kind kind);

/* Did the run go the recorded way to its end, and fail there in the same way? Then it is the same bug,
 * although its words are others: a message that holds a path, a function that another compiler or
 * level of optimisation puts into its caller. It is another bug if it fails at the second of two equal
 * lines and the saved one failed at the first. */
bool same_failure(struct target *target, const struct trace *trace, const struct finding *finding,
		  const struct saved *saved);

#endif
