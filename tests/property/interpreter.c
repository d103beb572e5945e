/* interpreter.c: executes any generated program with real calls, so that it is compiled once.
 *
 *   interpreter "3  2 0 1 0 0 0 …"     the number of threads, then for each the number of its
 *                                       instructions, then each instruction as five numbers
 *
 * An instruction is copied into local variables before it is executed: a spin loop that read it
 * from memory in each turn would not be one that only looks at atomics.
 */
#define _GNU_SOURCE
#define START(t) run_thread
#define ARGUMENT(t) ((void *)(long)(t))
#include "instruction.h"
#include "ops.h"

static struct instruction code[THREADS][CODE];
static int threads;
static int has_detached, has_files, has_pipe, has_signals;

static void *run_thread(void *argument);

#define LAST(...) break /* for instructions that have a case of their own */
#define END LAST
#define JUMP LAST
#define UNLESS LAST
#define READY LAST

/* Executes one instruction that is not a jump. */
static void execute(int self, const struct instruction *which, int *r)
{
	int a = which->a, b = which->b, c = which->c, d = which->d;

	switch (which->op) {
#define OP(name, arguments, meaning) \
	case OP_##name:              \
		name(a, b, c, d);    \
		break;
#include "ops.def"
#undef OP
	}
	(void)d;
}

static int next_of(const struct instruction *which, int pc, const int *r)
{
	switch (which->op) {
	case OP_JUMP:
		return which->a;
	case OP_UNLESS:
		return r[which->a] == which->b ? pc + 1 : which->c;
	case OP_READY:
		return data[which->a] >= which->b ? which->c : pc + 1;
	default:
		return pc + 1;
	}
}

static void run(int self, int *r)
{
	for (int pc = 0; code[self][pc].op != OP_END;) {
		execute(self, &code[self][pc], r);
		pc = next_of(&code[self][pc], pc, r);
	}
}

static void *run_thread(void *argument)
{
	int self = (int)(long)argument;
	int r[REGISTERS] = {0};

	run(self, r);
	keep_result(self, r);
	return NULL;
}

static int read_number(const char **text)
{
	char *end;
	long value = strtol(*text, &end, 10);

	if (end == *text)
		exit(99);
	*text = end;
	return (int)value;
}

static void read_program(const char *text)
{
	threads = read_number(&text);
	for (int t = 0; t < threads; t++) {
		int length = read_number(&text);

		for (int i = 0; i < length; i++) {
			struct instruction *new = &code[t][i];

			new->op = read_number(&text);
			new->a = read_number(&text);
			new->b = read_number(&text);
			new->c = read_number(&text);
			new->d = read_number(&text);
			has_detached |= new->op == OP_DETACH;
			has_signals |= new->op >= OP_KILL &&new->op <= OP_SIGLOOK;
			has_files |= new->op >= OP_FD_OPEN && new->op <= OP_FD_LOOK;
			has_pipe |= new->op == OP_PIPE_PUT || new->op == OP_PIPE_GET;
		}
	}
}

int main(int argc, char **argv)
{
	int r[REGISTERS] = {0};

	if (argc != 2)
		return 99;
	read_program(argv[1]);
	start_objects();
	if (has_signals)
		start_signals();
	if (has_files)
		start_files();
	if (has_pipe)
		start_pipe();
	run(0, r);
	print_results(r, threads, !has_detached);
	return 0;
}
