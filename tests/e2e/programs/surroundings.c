/* Fails if two threads count at once and the surroundings are as `argv[1]` says: the variable
 * SURROUNDINGS is "fails" (variable), there are few variables (all), the limit of open files is 77
 * (limit), the file here.txt is in the folder (folder), the word by which the program was called (word)
 * or the path from which the kernel loaded it (path) is shorter than argv[2]. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>

extern char **environ;

static atomic_int count;

static void *add(void *unused)
{
	int seen = atomic_load(&count);

	atomic_store(&count, seen + 1);
	return unused;
}

static int is_as_wanted(const char *what, char **argv)
{
	if (strcmp(what, "word") == 0)
		return strlen(argv[0]) < strtoul(argv[2], NULL, 10);
	if (strcmp(what, "path") == 0)
		return strlen((const char *)getauxval(AT_EXECFN)) < strtoul(argv[2], NULL, 10);
	if (strcmp(what, "variable") == 0) {
		const char *value = getenv("SURROUNDINGS");

		return value && strcmp(value, "fails") == 0;
	}
	if (strcmp(what, "all") == 0) {
		size_t bytes = 0;

		for (char **variable = environ; *variable; variable++)
			bytes += strlen(*variable) * (strncmp(*variable, "MORE=", 5) != 0);
		return bytes < 2000;
	}
	if (strcmp(what, "limit") == 0) {
		struct rlimit limit;

		return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 77;
	}
	FILE *file = fopen("here.txt", "r");

	return file && fclose(file) == 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	int fails = is_as_wanted(argc > 1 ? argv[1] : "variable", argv);

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, add, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(!fails || atomic_load(&count) == 2);
	return 0;
}
