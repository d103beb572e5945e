/* nearest.h: "did you mean": the word that the user probably wanted to type.
 *
 *     struct nearest nearest = {.typed = "tset"};
 *     for each word: nearest_offer(&nearest, word);
 *     if (nearest.best[0]) … did you mean nearest.best
 *
 * A word is near if about one letter in three is missing, added, wrong or swapped with the next, or
 * if it begins with what was typed. The first of equally near words wins. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

struct nearest {
	const char *typed; /* borrowed */
	char best[48];     /* empty: no word is near */
	unsigned distance; /* of the best */
};

void nearest_offer(struct nearest *nearest, const char *word);

/* How many letters must be added, removed, replaced or swapped with the next one. */
unsigned nearest_distance(const char *a, const char *b);

#endif
