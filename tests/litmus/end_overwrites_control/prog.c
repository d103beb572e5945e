/* A wild pointer hits the memory by which the tool controls the program: control is lost, and
 * the tool says so and lives on. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char text[1 << 18];

static void *work(void *arg)
{
	int fd = open("/proc/self/maps", O_RDONLY);
	unsigned long low = 0, high = 0;
	long used = 0, got;
	const char *line;

	while (used < (long)sizeof(text) - 1 &&
	       (got = read(fd, text + used, sizeof(text) - 1 - used)) > 0)
		used += got;
	close(fd);
	line = strstr(text, "fermata-channel");
	while (line && line > text && line[-1] != '\n')
		line--;
	if (!line || sscanf(line, "%lx-%lx", &low, &high) != 2)
		return arg;
	for (unsigned long at = low; at < high && at < low + SPAN; at += 8)
		*(volatile unsigned long *)at = at * 0x9e3779b97f4a7c15ul;
	return arg;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, work, NULL);
	pthread_create(&threads[1], NULL, work, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
