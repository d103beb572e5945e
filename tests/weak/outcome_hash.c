/* outcome_hash.c: prints, for each line of the standard input, the hash that the tool's JSON has for a
 * run that ended well and printed the line. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

int main(void)
{
	char line[4096];

	while (fgets(line, sizeof(line), stdin))
		printf("%016" PRIx64 "\n",
		       hash_combine(hash_combine(0, 0), hash_bytes(line, strlen(line))));
	return 0;
}
