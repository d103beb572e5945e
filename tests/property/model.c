/* model.c: all ends of generated programs, worked out by visiting every state.
 *
 *   model [--states N] [--spurious N] [--idle 1]
 *
 * Each line of the input is a program as the interpreter takes it. Each is answered by a line:
 *
 *   states paths outcome outcome …
 *
 * with the number of states, the number of ways through them (turns in vain not counted), and
 * each outcome as the tool's hash of it, `=`, its end and what is printed, with `_` for spaces. A
 * program with more than N states is answered by `too many`.
 */
#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { NOWHERE = UINT32_MAX, TEXT = 1024 };

struct edge {
	uint32_t from, to;
};

/* The states that were reached, in the order in which they were, and how they follow. */
struct search {
	struct state *states;
	uint32_t *table; /* by hash: indices of states */
	struct edge *edges;
	uint32_t states_len, states_max, table_size;
	uint32_t edges_len, edges_max;
};

static void *need(void *memory)
{
	if (!memory) {
		fprintf(stderr, "model: out of memory\n");
		exit(2);
	}
	return memory;
}

static void search_init(struct search *search, uint32_t states_max)
{
	memset(search, 0, sizeof(*search));
	search->states_max = states_max;
	for (search->table_size = 1024; search->table_size < 2 * states_max;)
		search->table_size *= 2;
	search->states = need(malloc(sizeof(struct state) * states_max));
	search->table = need(malloc(sizeof(uint32_t) * search->table_size));
}

/* The index of the state; NOWHERE if there is no room for another. */
static uint32_t search_add(struct search *search, const struct state *state)
{
	uint32_t slot = (uint32_t)hash_bytes(state, sizeof(*state)) & (search->table_size - 1);

	for (; search->table[slot] != NOWHERE; slot = (slot + 1) & (search->table_size - 1))
		if (!memcmp(&search->states[search->table[slot]], state, sizeof(*state)))
			return search->table[slot];
	if (search->states_len == search->states_max)
		return NOWHERE;
	search->states[search->states_len] = *state;
	return search->table[slot] = search->states_len++;
}

static void search_connect(struct search *search, uint32_t from, uint32_t to)
{
	if (search->edges_len == search->edges_max) {
		search->edges_max = search->edges_max ? 2 * search->edges_max : 4096;
		search->edges = need(
			realloc(search->edges, sizeof(struct edge) * search->edges_max));
	}
	search->edges[search->edges_len++] = (struct edge){from, to};
}

/* Adds everything that may follow when thread t does something; returns how many states that are,
 * or -1 if there is no room. */
static int search_from(struct search *search, const struct program *program, uint32_t at, int t,
		       int is_over)
{
	static struct state next[SUCCESSORS + 2];
	struct state from = search->states[at];
	int found = is_over ? state_expire(program, &from, t, next)
			    : state_successors(program, &from, t, next);

	for (int i = 0; i < found; i++) {
		uint32_t to = search_add(search, &next[i]);

		if (to == NOWHERE)
			return -1;
		search_connect(search, at, to);
	}
	return found;
}

/* Visits everything. False if there are too many states. */
static int search_all(struct search *search, const struct program *program, int spurious)
{
	struct state first = state_first(program, spurious);

	search->states_len = search->edges_len = 0;
	memset(search->table, 0xff, sizeof(uint32_t) * search->table_size);
	search_add(search, &first);
	for (uint32_t at = 0; at < search->states_len; at++) {
		int any = 0;

		for (int turn = 0; turn < 2 * program->threads; turn++) {
			int is_over = turn >= program->threads, found;

			if (is_over && (any || !program->is_idle))
				break;
			found = search_from(search, program, at, turn % program->threads, is_over);
			if (found < 0)
				return 0;
			any |= found && !is_over;
		}
	}
	return 1;
}

/* ---- ends ---- */

/* Marks states from which some state without successors can be reached. */
static uint8_t *mark_ending(const struct search *search)
{
	uint8_t *ends = need(malloc(search->states_len));
	int changed = 1;

	memset(ends, 1, search->states_len);
	for (uint32_t i = 0; i < search->edges_len; i++)
		ends[search->edges[i].from] = 0;
	while (changed) {
		changed = 0;
		for (uint32_t i = search->edges_len; i-- > 0;) {
			const struct edge *edge = &search->edges[i];

			if (!ends[edge->from] && ends[edge->to])
				changed = ends[edge->from] = 1;
		}
	}
	return ends;
}

/* The same line as print_results in ops.h. */
static void print_state(const struct program *program, const struct state *s, char *out)
{
	for (int i = 0; i < REGISTERS; i++)
		out += sprintf(out, "%d ", s->t[0].r[i]);
	for (int i = 0; !program->has_detached && i < MUTEXES; i++)
		out += sprintf(out, "%d ", s->data[i]);
	for (int i = 0; !program->has_detached && i < PLAINS; i++)
		out += sprintf(out, "%d ", s->plain[i]);
	if (!program->has_detached)
		out += sprintf(out, "%d %d ", s->rw_data, s->spin_data);
	for (int t = 1; !program->has_detached && t < program->threads; t++) {
		out += sprintf(out, "/ %d ", s->t[t].cancelled);
		for (int i = 0; i < REGISTERS; i++)
			out += sprintf(out, "%d ", s->t[t].r[i]);
	}
	sprintf(out, "\n");
}

/* As trace_outcome_hash in core/trace.c. */
static uint64_t outcome_hash(int end, int code, const char *output)
{
	uint64_t hash = hash_combine((uint64_t)end, (uint64_t)(int64_t)code);

	return hash_combine(hash, hash_bytes(output, strlen(output)));
}

static void print_outcome(int end, int code, char *output)
{
	static const char *const names[] = {"done", "exit", "abort", "", "deadlock", "spin"};

	printf(" %016" PRIx64 "=%s", outcome_hash(end, code, output), names[end]);
	if (code)
		printf("%d", code);
	for (char *c = output; *c; c++)
		putchar(*c == ' ' || *c == '\n' ? '_' : *c);
}

/* Remembers hashes of outcomes; true if this one is new. */
static int is_new(uint64_t hash, uint64_t **known, uint32_t *len)
{
	for (uint32_t i = 0; i < *len; i++)
		if ((*known)[i] == hash)
			return 0;
	if ((*len & (*len - 1)) == 0)
		*known = need(realloc(*known, sizeof(uint64_t) * (*len ? 2 * *len : 1)));
	(*known)[(*len)++] = hash;
	return 1;
}

static void print_ends(const struct search *search, const struct program *program)
{
	uint8_t *ends = mark_ending(search);
	uint8_t *has_next = need(calloc(search->states_len, 1));
	uint64_t *known = NULL;
	uint32_t known_len = 0;

	for (uint32_t i = 0; i < search->edges_len; i++)
		has_next[search->edges[i].from] = 1;
	for (uint32_t i = 0; i < search->states_len; i++) {
		const struct state *s = &search->states[i];
		char output[TEXT] = "";
		int end = s->end;

		if (has_next[i] && ends[i])
			continue;
		if (end == RUNS)
			end = has_next[i] ? END_SPIN : END_DEADLOCK;
		if (program->code[0][s->t[0].pc].op == OP_END && s->t[0].phase)
			print_state(program, s, output);
		if (is_new(outcome_hash(end, s->code, output), &known, &known_len))
			print_outcome(end, s->code, output);
	}
	free(known);
	free(has_next);
	free(ends);
}

/* How many ways lead through the states, backwards from the ends. An edge to a state that was
 * reached earlier may close a circle: it does not count. */
static double count_paths(const struct search *search)
{
	double *paths = need(calloc(search->states_len, sizeof(double)));
	double total;

	for (uint32_t at = search->states_len, e = search->edges_len; at-- > 0;) {
		double sum = 0;
		int any = 0;

		for (; e > 0 && search->edges[e - 1].from == at; e--) {
			any = 1;
			if (search->edges[e - 1].to > at)
				sum += paths[search->edges[e - 1].to];
		}
		paths[at] = any ? sum : 1;
	}
	total = paths[0];
	free(paths);
	return total;
}

/* ---- input ---- */

static int read_number(char **text)
{
	char *end;
	long value = strtol(*text, &end, 10);

	if (end == *text) {
		fprintf(stderr, "model: a number is missing at: %.40s\n", *text);
		exit(2);
	}
	*text = end;
	return (int)value;
}

static void read_program(struct program *program, char *text)
{
	memset(program, 0, sizeof(*program));
	program->threads = read_number(&text);
	for (int t = 0; t < program->threads; t++) {
		program->length[t] = read_number(&text);
		for (int i = 0; i < program->length[t]; i++) {
			struct instruction *new = &program->code[t][i];

			new->op = read_number(&text);
			new->a = read_number(&text);
			new->b = read_number(&text);
			new->c = read_number(&text);
			new->d = read_number(&text);
			program->has_detached |= new->op == OP_DETACH;
		}
	}
}

int main(int argc, char **argv)
{
	static struct program program;
	uint32_t states_max = 200000;
	int spurious = 0, is_idle = 0;
	struct search search;
	char *line = NULL;
	size_t room = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--states"))
			states_max = (uint32_t)atol(argv[i + 1]);
		else if (!strcmp(argv[i], "--spurious"))
			spurious = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--idle"))
			is_idle = atoi(argv[i + 1]);
	}
	search_init(&search, states_max);
	while (getline(&line, &room, stdin) > 0) {
		read_program(&program, line);
		program.is_idle = is_idle;
		if (search_all(&search, &program, spurious)) {
			printf("%u %.0f", search.states_len, count_paths(&search));
			print_ends(&search, &program);
			puts("");
		} else {
			puts("too many");
		}
		fflush(stdout);
	}
	return 0;
}
