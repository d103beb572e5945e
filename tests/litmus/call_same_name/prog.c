/* strtok of the library, beside a local function of that name in the other object. */
#include "litmus.h"

char line[] = "a b", other[] = "c d";
char *skip(char *text);

THREAD(first)
{
	strtok(line, " ");
	return skip(line);
}

THREAD(second)
{
	return strtok(other, " ");
}

int main(void)
{
	RUN(first, second);
	return 0;
}
