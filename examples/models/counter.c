/* counter.c: a counter of two digits that is read without a lock.
 *
 * Writers take a mutex; readers look at a version before and after, and look again if a
 * writer was at work. The version is odd while one is, and it moves on both sides of the
 * change. Broken, each needs a reader and a writer in the middle at once:
 *
 *     -DBUG=1   a busy flag instead, looked at before only, and the version moves after
 *     -DBUG=2   the version moves before the change only
 */
#include <fermata/model.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

enum { BASE = 4 };

static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static atomic_long version, low, high;
static atomic_int busy;

static void begin_change(void)
{
#if BUG == 1
	busy = 1;
#elif BUG == 2
	version++;
	busy = 1;
#else
	version++;
#endif
}

static void end_change(void)
{
#if BUG == 1
	version++;
	busy = 0;
#elif BUG == 2
	busy = 0;
#else
	version++;
#endif
}

static long counter_add(long n)
{
	long sum;

	pthread_mutex_lock(&writers);
	sum = high * BASE + low + n;
	begin_change();
	low = sum % BASE;
	high = sum / BASE;
	end_change();
	pthread_mutex_unlock(&writers);
	return sum;
}

static long counter_read(void)
{
	for (;;) {
		long before = version, sum;

		if (busy || (BUG == 0 && before % 2))
			continue;
		sum = low;
		sum += high * BASE;
		if (version == before)
			return sum;
	}
}

/* ---- the model ---- */

static void setup(void)
{
	version = low = high = 0;
	busy = 0;
}

static long call_add(const long *args)
{
	return counter_add(args[0]);
}

static long step_add(void *state, const long *args, const long *result)
{
	(void)result;
	return *(long *)state += args[0];
}

static long call_read(const long *args)
{
	(void)args;
	return counter_read();
}

static long step_read(void *state, const long *args, const long *result)
{
	(void)args, (void)result;
	return *(long *)state;
}

static const struct fermata_command commands[] = {
	{.name = "add", .args_len = 1, .args = {{1, 5}}, .call = call_add, .step = step_add},
	{.name = "read", .call = call_read, .step = step_read},
};

const struct fermata_model counter = {
	.commands = commands, .commands_len = 2, .state_size = sizeof(long), .setup = setup,
};

FERMATA_MODEL_MAIN(counter)
