#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>

enum { LETTERS_MAX = 40 }; /* longer words are never near */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned nearest_distance(const char *a, const char *b)
{
	unsigned rows[3][LETTERS_MAX + 1]; /* row i: from the first i letters of a to those of b */
	size_t a_len = strlen(a), b_len = strlen(b);

	if (a_len > LETTERS_MAX || b_len > LETTERS_MAX)
		return LETTERS_MAX;
	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_len; j++) {
			row[j] = least(above[j] + 1, row[j - 1] + 1);
			row[j] = least(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], second[j - 2] + 1);
		}
	}
	return rows[a_len % 3][b_len];
}

void nearest_offer(struct nearest *nearest, const char *word)
{
	size_t len = strlen(nearest->typed);
	unsigned distance = nearest_distance(nearest->typed, word);

	if (len >= 3 && strncmp(nearest->typed, word, len) == 0)
		distance = 1;
	if (distance > (len < 3 ? 1 : (len + 2) / 3))
		return;
	if (!nearest->best[0] || distance < nearest->distance) {
		snprintf(nearest->best, sizeof(nearest->best), "%s", word);
		nearest->distance = distance;
	}
}
