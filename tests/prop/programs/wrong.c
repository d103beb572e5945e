/* A model that is wrong in the way that -DHOW says. */
#include <assert.h>
#include <fermata/model.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static volatile int zero;

static void generate(const void *state, struct fermata_random *random, long *args)
{
	(void)state;
	args[0] = fermata_between(random, 1, 4);
#ifdef GENERATOR_CRASHES
	args[0] /= zero;
#endif
}

static bool may(const void *state, const long *args)
{
	(void)state, (void)args;
#ifdef PRECONDITION_NEVER_HOLDS
	return false;
#elif defined(PRECONDITION_ABORTS)
	assert(zero);
#endif
	return true;
}

static long call(const long *args)
{
	(void)args;
#ifdef CALL_DEADLOCKS
	pthread_mutex_lock(args[0] % 2 ? &first : &second);
	pthread_mutex_lock(args[0] % 2 ? &second : &first);
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
#elif defined(CALL_ABORTS)
	abort();
#endif
	(void)first, (void)second;
	return 0;
}

static long step(void *state, const long *args, const long *result)
{
	(void)state, (void)args, (void)result;
#ifdef STEP_CRASHES
	if (result)
		*(volatile int *)16 = 1;
#endif
	return 0;
}

static const struct fermata_command commands[] = {
	{.name = "call", .args_len = 1, .generate = generate, .may = may, .call = call,
	 .step = step},
#ifdef ONE_WITHOUT_STEP
	{.name = "other", .call = call},
#elif defined(TOO_MANY_ARGUMENTS)
	{.name = "other", .args_len = 5, .call = call, .step = step},
#endif
};

const struct fermata_model wrong = {
	.commands = commands,
#ifndef NO_COMMANDS
	.commands_len = sizeof(commands) / sizeof(commands[0]),
#endif
#ifdef LARGE_STATE
	.state_size = FERMATA_STATE_MAX + 1,
#endif
};

#ifdef NO_MODEL
int main(void)
{
	return 0;
}
#else
FERMATA_MODEL_MAIN(wrong)
#endif
