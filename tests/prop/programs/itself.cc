// A counter without a model: its results must be those of some sequential order.
#include <atomic>
#include <fermata/model.h>

static std::atomic<long> number;

static void setup()
{
	number = 0;
}

static long call_add(const long *args)
{
#ifdef BUG
	long old = number;

	number = old + args[0];
	return old;
#else
	return number.fetch_add(args[0]);
#endif
}

static long call_get(const long *)
{
	return number;
}

static const fermata_command commands[] = {
	{.name = "add", .args_len = 1, .args = {{1, 3}}, .call = call_add},
	{.name = "get", .call = call_get},
};

extern const fermata_model itself;
const fermata_model itself = {.commands = commands, .commands_len = 2, .setup = setup};

FERMATA_MODEL_MAIN(itself)
