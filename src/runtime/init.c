/* init.c: the runtime wakes up before main() and finds out whether it is wanted. */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include "base/rng.h"
#include "runtime/fiber.h"
#include "runtime/intercept.h"
#include "runtime/rt_sys.h"
#include "runtime/sched.h"

bool rt_present;

extern char **environ;
extern void *__libc_stack_end;

/* Takes NAME=value out of the environment, so that the program does not see it. */
static const char *take_env(const char *name)
{
	size_t len = rt_strlen(name);

	for (char **entry = environ; entry && *entry; entry++) {
		const char *value = *entry + len + 1;

		if (rt_strncmp(*entry, name, len) != 0 || (*entry)[len] != '=')
			continue;
		for (; *entry; entry++)
			entry[0] = entry[1];
		return value;
	}
	return NULL;
}

static int parse_number(const char *text)
{
	int number = 0;

	while (*text >= '0' && *text <= '9')
		number = number * 10 + (*text++ - '0');
	return number;
}

/* The tool passes "FD CAPTURE": descriptors of the channel and of the captured output. */
static struct channel *map_channel(const char *value, int *capture_fd)
{
	int fd = parse_number(value);
	struct channel *channel;
	uint64_t size;

	while (*value && *value != ' ')
		value++;
	*capture_fd = *value ? parse_number(value + 1) : -1;
	channel = (void *)rt_syscall6(SYS_mmap, 0, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if ((uint64_t)channel > -4096ul)
		return NULL;
	size = channel->magic == CHANNEL_MAGIC && channel->version == CHANNEL_VERSION ?
		channel->size : 0;
	rt_syscall(SYS_munmap, channel, 4096, 0);
	if (!size)
		return NULL;
	channel = (void *)rt_syscall6(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, MAP_SHARED,
				      fd, 0);
	rt_syscall(SYS_close, fd, 0, 0);
	return (uint64_t)channel > -4096ul ? NULL : channel;
}

static bool map_state(void)
{
	long at = rt_syscall6(SYS_mmap, (long)RT, sizeof(struct rt), PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
			      -1, 0);
	return at == (long)RT;
}

static bool has_suffix_after_slash(const char *path, const char *prefix)
{
	const char *name = path;

	for (const char *c = path; *c; c++)
		if (*c == '/')
			name = c + 1;
	return rt_strncmp(name, prefix, rt_strlen(prefix)) == 0;
}

/* The C and C++ runtime libraries are modelled; anything else must carry our note,
 * which the tool checks (it has the file; we only have the mapping). */
static const struct library {
	const char *name;
	bool ends; /* it may have something to do when the program ends */
} runtime_libraries[] = {
	{"libc.so", false}, {"libc-", false}, {"libm.so", false}, {"libm-", false},
	{"libpthread", false}, {"libdl.so", false}, {"libdl-", false}, {"librt.so", false},
	{"librt-", false}, {"ld-linux", false}, {"libgcc_s", false}, {"libatomic", false},
	{"linux-vdso", false}, {"linux-gate", false}, {"libstdc++", true}, {"libfermata", true},
};

/* NULL for any other library. */
static const struct library *find_runtime_library(const char *path)
{
	for (size_t i = 0; i < sizeof(runtime_libraries) / sizeof(runtime_libraries[0]); i++)
		if (has_suffix_after_slash(path, runtime_libraries[i].name))
			return &runtime_libraries[i];
	return NULL;
}

static bool is_noted(const struct dl_phdr_info *info)
{
	const struct channel *channel = RT->channel;

	for (uint32_t m = 0; m < channel->modules_len; m++)
		if (channel->modules[m].base == info->dlpi_addr &&
		    rt_strncmp(channel->modules[m].path, info->dlpi_name,
			       sizeof(channel->modules[m].path) - 1) == 0)
			return true;
	return false;
}

static int note_module(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct channel *channel = RT->channel;
	struct channel_module *module = &channel->modules[channel->modules_len];
	const struct library *known = find_runtime_library(info->dlpi_name);
	uint64_t low = UINT64_MAX, high = 0;
	size_t len;

	if (is_noted(info))
		return 0;
	if (channel->modules_len == CHANNEL_MODULES) {
		RT->libraries_end = true;
		return 0;
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type != PT_LOAD)
			continue;
		if (info->dlpi_addr + segment->p_vaddr < low)
			low = info->dlpi_addr + segment->p_vaddr;
		if (info->dlpi_addr + segment->p_vaddr + segment->p_memsz > high)
			high = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
	}
	module->start = low;
	module->end = high;
	module->base = info->dlpi_addr;
	len = rt_strlen(info->dlpi_name);
	if (len >= sizeof(module->path))
		len = sizeof(module->path) - 1;
	rt_memcpy(module->path, info->dlpi_name, len);
	module->path[len] = '\0'; /* empty: the program itself */
	module->foreign = len && !known;
	RT->libraries_end |= len && (!known || known->ends);
	channel->modules_len++;
	return 0;
}

void rt_note_modules(void)
{
	dl_iterate_phdr(note_module, NULL);
}

static void set_up_main(void)
{
	struct channel *channel = RT->channel;
	struct actor *actors = channel_at(channel, channel->actors);
	struct rt_actor *first = &RT->actors[0];
	char *top = __libc_stack_end;

	if (!channel->actors_len) {
		actors[0] = (struct actor){.parent = ACTOR_NONE, .kind = ACTOR_REAL, .nth = 1};
		channel->actors_len = 1;
	}
	first->state = RT_ANNOUNCED;
	first->fs_base = rt_fiber_fs_base();
	first->stack_high = top + 4096;
	first->stack_low = top - (8 << 20);
	first->tls_low = (char *)first->fs_base - 8192;
	first->tls_high = (char *)first->fs_base + 4096;
	RT->main = first;
	RT->actors_high = 1;
	RT->current = 0;
}

/* The 16 random bytes that the kernel gives a program; libc has used them already. */
static void seed_random_bytes(uint64_t seed)
{
	uint64_t *bytes = (uint64_t *)getauxval(AT_RANDOM);
	struct rng rng = rng_seeded(seed);

	for (int i = 0; bytes && i < 2; i++) {
		uint64_t word = rng_next(&rng);

		rt_memcpy(&bytes[i], &word, sizeof(word));
	}
}

static void take_channel(struct channel *channel, int capture_fd)
{
	long persona; /* an error where asking is refused */

	RT->channel = channel;
	RT->capture_fd = capture_fd;
	RT->events = channel_at(channel, channel->events);
	RT->enabled_sets = channel_at(channel, channel->enabled);
	RT->plains = channel_at(channel, channel->plains);
	RT->notices = channel_at(channel, channel->notices);
	RT->facts = channel_at(channel, channel->facts);
	RT->rng = channel->options.seed;
	seed_random_bytes(channel->options.seed);
	RT->has_fsgsbase = getauxval(AT_HWCAP2) >> 1 & 1;
	persona = rt_syscall(SYS_personality, 0xffffffff, 0, 0);
	channel->fixed_addresses = persona >= 0 && (persona & ADDR_NO_RANDOMIZE);
}

__attribute__((constructor(101))) static void wake_up(void)
{
	const char *value;
	struct channel *channel;
	int capture_fd = -1;

	rt_intercept_init();
	value = take_env(CHANNEL_ENV);
	if (!value)
		return;
	take_env("GLIBC_TUNABLES");
	channel = map_channel(value, &capture_fd);
	if (!channel || !map_state())
		return; /* the tool sees that the program never became ready */
	take_channel(channel, capture_fd);
	set_up_main();
	rt_note_modules();
	rt_catch_crashes();
	RT->phase = RT_ALONE;
	rt_present = true;
}
