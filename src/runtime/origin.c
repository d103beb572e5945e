#include "runtime/origin.h"

#include "runtime/intercept.h" /* RT_STATIC */
#include "runtime/rt_sys.h"

#if RT_STATIC

/* The linker puts the program before us and the libraries behind us; which of them it is
 * cannot be told. */
enum rt_origin rt_origin_of(uint64_t site)
{
	return site < (uint64_t)&rt_plain ? RT_OF_PROGRAM : RT_OF_LIBC;
}

#else

static const struct {
	const char *prefix;
	enum rt_origin origin;
} libraries[] = {
	{"libc.so.", RT_OF_LIBC},
	{"libc-2.", RT_OF_LIBC},
	{"ld-linux-", RT_OF_LIBC},
	{"libstdc++.so.", RT_OF_LIBSTDCXX},
	{"libgcc_s.so.", RT_OF_LIBSTDCXX},
};

static enum rt_origin origin_of_path(const char *path)
{
	const char *name = path;

	for (const char *c = path; *c; c++)
		if (*c == '/')
			name = c + 1;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		if (rt_strncmp(name, libraries[i].prefix, rt_strlen(libraries[i].prefix)) == 0)
			return libraries[i].origin;
	return RT_OF_PROGRAM;
}

enum rt_origin rt_origin_of(uint64_t site)
{
	const struct channel *channel = RT->channel;

	for (uint32_t m = 0; m < channel->modules_len; m++)
		if (site >= channel->modules[m].start && site < channel->modules[m].end)
			return origin_of_path(channel->modules[m].path);
	return RT_OF_PROGRAM;
}

#endif
