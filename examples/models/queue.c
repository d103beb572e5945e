/* queue.c: a queue of two lists: push works on one, pop on the other, and when that one is
 * empty pop moves everything over, reversed, without keeping pushers out.
 *
 * While elements are being moved they are in neither list, so whoever finds both lists empty
 * must know that no move was going on: `moves` counts on both sides of a move and is odd
 * in between. Broken, each needs two poppers in the middle at once:
 *
 *     -DBUG=1   `moving` is looked at before the lists only, and `moves` counts afterwards
 *     -DBUG=2   `moves` counts when a move begins, before `moving` is set, and not afterwards
 */
#include <fermata/model.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

struct node {
	struct node *next;
	long value;
};

static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t move_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct node *) in, out;
static atomic_long moves;
static atomic_int moving;

static void queue_push(long value)
{
	struct node *node = malloc(sizeof(*node));

	node->value = value;
	node->next = in;
	while (!atomic_compare_exchange_strong(&in, &node->next, node))
		;
}

static struct node *take_out(void)
{
	struct node *node;

	pthread_mutex_lock(&out_lock);
	node = out;
	if (node)
		out = node->next;
	pthread_mutex_unlock(&out_lock);
	return node;
}

static void begin_move(void)
{
#if BUG != 1
	moves++;
#endif
#if BUG != 0
	moving = 1;
#endif
}

static void end_move(void)
{
#if BUG != 2
	moves++;
#endif
	moving = 0;
}

/* All that was pushed so far goes to the end of the other list, which is empty. */
static void move(void)
{
	struct node *taken, *reversed = NULL;

	if (pthread_mutex_trylock(&move_lock) != 0)
		return;
	if (!out && in) {
		begin_move();
		taken = atomic_exchange(&in, NULL);
		while (taken) {
			struct node *next = taken->next;

			taken->next = reversed;
			reversed = taken;
			taken = next;
		}
		pthread_mutex_lock(&out_lock);
		out = reversed;
		pthread_mutex_unlock(&out_lock);
		end_move();
	}
	pthread_mutex_unlock(&move_lock);
}

/* -1 if it is empty. */
static long queue_pop(void)
{
	for (;;) {
		long before = moves, value;
		struct node *node;

		if (moving || (BUG == 0 && before % 2))
			continue;
		node = take_out();
		if (node) {
			value = node->value;
			free(node);
			return value;
		}
		if (in)
			move();
		else if (moves == before)
			return -1;
	}
}

/* ---- the model ---- */

struct state {
	long items[FERMATA_CALLS_MAX];
	long len;
};

static void setup(void)
{
	in = out = NULL;
	moves = 0;
	moving = 0;
}

static void free_list(struct node *node)
{
	while (node) {
		struct node *next = node->next;

		free(node);
		node = next;
	}
}

static void teardown(void)
{
	free_list(in);
	free_list(out);
}

static long call_push(const long *args)
{
	queue_push(args[0]);
	return 0;
}

static long step_push(void *state, const long *args, const long *result)
{
	struct state *s = state;

	(void)result;
	s->items[s->len++] = args[0];
	return 0;
}

static long call_pop(const long *args)
{
	(void)args;
	return queue_pop();
}

static long step_pop(void *state, const long *args, const long *result)
{
	struct state *s = state;
	long first = s->items[0];

	(void)args, (void)result;
	if (!s->len)
		return -1;
	s->len--;
	for (long i = 0; i <= s->len; i++)
		s->items[i] = i < s->len ? s->items[i + 1] : 0;
	return first;
}

static const struct fermata_command commands[] = {
	{.name = "push", .args_len = 1, .args = {{1, 9}}, .call = call_push, .step = step_push},
	{.name = "pop", .call = call_pop, .step = step_pop},
};

const struct fermata_model queue = {
	.commands = commands, .commands_len = 2, .state_size = sizeof(struct state),
	.setup = setup, .teardown = teardown,
};

FERMATA_MODEL_MAIN(queue)
