/* Crashes inside a function of the C library, which was given a wrong pointer: in a thread, or before
 * the first one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *volatile nothing;
static char *volatile nowhere;

static int compare(const char *word)
{
	return strcmp(word, nothing); /* strcmp */
}

static void call(const char *name)
{
	char text[64];

	if (!strcmp(name, "strcmp"))
		exit(compare(name) == 0);
	if (!strcmp(name, "strlen"))
		exit(strlen(nothing) == 1); /* strlen */
	if (!strcmp(name, "memcpy"))
		memcpy(nowhere, name, 6); /* memcpy */
	if (!strcmp(name, "snprintf"))
		snprintf(text, sizeof(text), "%.*s", 8, (const char *)1); /* snprintf */
	if (!strcmp(name, "atoi"))
		exit(atoi(nothing)); /* atoi */
}

static void *work(void *name)
{
	call(name);
	return name;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 2) {
		pthread_create(&thread, NULL, work, argv[1]);
		pthread_join(thread, NULL);
	} else {
		call(argv[1]);
	}
	return 0;
}
