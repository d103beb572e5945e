/* No threads, some output, and a failure. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	printf("nothing to do\n");
	fflush(stdout);
	return 3;
}
