/* A program without threads runs once. */
#include <stdio.h>

int main(void)
{
	puts("alone");
	return 0;
}
