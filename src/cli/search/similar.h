/* similar.h: races that the reader of the source takes for one.
 *
 *     q.tail++; q.count++; sum++;       two threads: three races, each of two lines that are one
 *
 * The tool distinguishes them by their objects, and each would be confirmed, shortened and printed.
 * The first of a pair of lines stands for all: the others are counted, and its report names their
 * objects. --keep-going ends with a table of what was found.
 *
 *     done[name]++;                     two threads: a dozen races inside of std::map
 *
 * A race inside a library belongs to the lines of the program that called the library. These lines
 * are known only when the race has been explained, so such races are compared later, by their
 * words.
 */
#ifndef CLI_SIMILAR_H
#define CLI_SIMILAR_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "core/finding.h"
#include "report/report.h"
#include "target/target.h"

enum { SIMILAR_NAMES = 4 };

struct similar_pair {
	uint64_t key;
	const char *own; /* the object of the first race */
	uint32_t others; /* further races of the pair, on other objects */
	const char *names[SIMILAR_NAMES];
	uint32_t names_len;
};

struct similar {
	struct arena arena;
	struct map indexes; /* by key: index in pairs */
	struct map callers; /* by the lines in the words of a race: index in pairs */
	VEC(struct similar_pair) pairs;
};

void similar_release(struct similar *similar);

/* Is it a race of a pair of lines that another race stands for? Counts it. */
bool similar_has(struct similar *similar, struct target *target, const struct finding *finding);

/* The same for a race that has been explained. */
bool similar_has_words(struct similar *similar, struct target *target,
		       const struct finding *finding, const struct report_finding *words);

/* Adds to the details of each finding the other races that it stands for: "These lines also race on
 * sum and q.count." causes[i] is what findings[i] was made of. */
void similar_name_all(const struct similar *similar, struct target *target,
		      const struct finding *const *causes, struct report_finding *findings,
		      size_t len, struct arena *arena);

/* A table of the findings, one line each; "" for fewer than two. */
void similar_table(const struct report_finding *findings, size_t len, struct strbuf *out);

#endif
