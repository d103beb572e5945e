/* lives.c: what a run left allocated, by site, for the leak detector to compare with
 * other runs. What libc allocated for itself (buffers of streams) is left out. */
#include "runtime/heap.h"
#include "runtime/rt_sys.h"

#ifdef RT_STATIC

static bool is_libc(uint64_t site)
{
	return site >= (uint64_t)&rt_plain; /* the linker puts libc behind us */
}

#else

static bool is_name_of_libc(const char *path)
{
	const char *name = path;

	for (const char *c = path; *c; c++)
		if (*c == '/')
			name = c + 1;
	return rt_strncmp(name, "libc.so", 7) == 0 || rt_strncmp(name, "libc-", 5) == 0 ||
	       rt_strncmp(name, "ld-linux", 8) == 0;
}

static bool is_libc(uint64_t site)
{
	const struct channel *channel = RT->channel;

	for (uint32_t m = 0; m < channel->modules_len; m++)
		if (site >= channel->modules[m].start && site < channel->modules[m].end)
			return is_name_of_libc(channel->modules[m].path);
	return false;
}

#endif

static void count_live(uint64_t site, size_t size)
{
	struct channel *channel = RT->channel;
	struct live *lives = channel->lives;
	uint32_t i = 0;

	while (i < channel->lives_len && lives[i].site != site)
		i++;
	if (i == CHANNEL_LIVES || is_libc(site))
		return;
	if (i == channel->lives_len) {
		lives[i] = (struct live){.site = site};
		channel->lives_len++;
	}
	lives[i].bytes += size;
	lives[i].count++;
}

void rt_heap_record_lives(void)
{
	if (RT->channel->options.check_leaks)
		rt_heap_live(count_live);
}
