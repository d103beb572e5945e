/* native_describe.c: places, objects and stacks of a native program in words. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "core/object.h"
#include "native/native_parts.h"
#include "native/symbols.h"
#include "runtime/heap_layout.h"
#include "runtime/stack_keys.h"

static void load_symbols(struct native *n)
{
	const struct channel *c = n->program.channel;

	if (n->symbols)
		return;
	n->symbols = symbols_new();
	for (uint32_t m = 0; m < c->modules_len; m++) {
		const char *path = c->modules[m].path;

		symbols_add_module(n->symbols, path[0] ? path : n->options.path,
				   c->modules[m].base);
	}
}

/* Back from a stable name to an address of this process. */
static uint64_t address_of(const struct native *n, uint64_t name)
{
	const struct channel *c = n->program.channel;
	uint64_t module = name >> 48;

	if (!c->fixed_addresses && module && module <= c->modules_len)
		return c->modules[module - 1].base + (name & 0xffffffffffffu);
	return name;
}

/* Ours: the runtime's sources have that path in the debug information, its assembler has none. */
static bool is_own_frame(const struct symbols_frame *frame)
{
	const char *name = frame->function ? frame->function : "";

	if (frame->file)
		return strstr(frame->file, "/fermata-runtime/") != NULL;
	return strncmp(name, "rt_", 3) == 0 || strncmp(name, "__wrap_", 7) == 0 ||
	       strncmp(name, "__tsan_", 7) == 0;
}

const char *native_function(struct native *n, uint64_t address, bool *has_lines)
{
	struct symbols_frame frames[8];
	uint32_t len;

	load_symbols(n);
	len = symbols_code(n->symbols, address_of(n, address), true, frames, 8);
	if (!len || is_own_frame(&frames[len - 1]))
		return NULL;
	*has_lines = frames[len - 1].file != NULL;
	return frames[len - 1].function;
}

void native_describe_site(struct target *self, uint64_t site, struct target_frame *frame)
{
	struct native *n = native_of(self);
	struct symbols_frame frames[8];
	uint32_t len, user;

	*frame = (struct target_frame){.function = "?", .address = site};
	if (!site || n->program.is_dead)
		return;
	load_symbols(n);
	len = symbols_code(n->symbols, address_of(n, site), true, frames, 8);
	if (!len)
		return;
	user = symbols_user_frame(frames, len);
	frame->function = frames[user].function ? frames[user].function : "?";
	frame->file = frames[user].file;
	frame->line = frames[user].line;
}

/* Appends "heap of P1+64" and the like; false if the address is not in the heap of any
 * actor. */
static bool describe_heap(const struct native *n, uint64_t address, struct strbuf *out)
{
	struct channel *c = n->program.channel;
	uint64_t index = heap_layout_owner(address, c->max_actors);
	char actor[ACTOR_NAME_MAX];

	if (address < RT_HEAP_BASE || index >= c->actors_len)
		return false;
	actor_name(channel_at(c, c->actors), (uint32_t)index, actor);
	strbuf_addf(out, "heap of %s+%lu", actor,
		    (address - RT_HEAP_BASE) & ((1ul << heap_layout_bits(c->max_actors)) - 1));
	return true;
}

/* Is the address in the frame of the function that the i-th frame of the stack returns to? The frames
 * inside it are at lower addresses. */
static bool is_in_frame(const struct channel_stack *stack, uint32_t i, uint64_t address)
{
	enum { FRAME_MAX = 1 << 20 };
	uint64_t base = stack->bases[i], inner = i ? stack->bases[i - 1] : 0;

	return base > address && base - address < FRAME_MAX && (!i || (inner && inner <= address));
}

/* Appends the name of the local variable at the address, by the stacks that were recorded. Variables
 * of functions that ran one after the other may have had the same place: then none is named. */
static bool describe_local(struct native *n, uint64_t address, struct strbuf *out, bool *is_inside)
{
	struct channel *c = n->program.channel;
	const struct channel_stack *stacks = channel_at(c, c->stacks);
	uint64_t last_frame = 0, last_base = 0;
	struct strbuf name = {0}, other = {0};
	bool agrees = true, is_named;

	for (uint32_t s = 0; s < c->stacks_len && agrees; s++)
		for (uint32_t i = 0; i < stacks[s].frames_len && agrees; i++) {
			if (!is_in_frame(&stacks[s], i, address) ||
			    (stacks[s].frames[i] == last_frame && stacks[s].bases[i] == last_base))
				continue;
			last_frame = stacks[s].frames[i];
			last_base = stacks[s].bases[i];
			strbuf_clear(&other);
			if (!symbols_local(n->symbols, last_frame, last_base, address, &other,
					   is_inside))
				continue;
			if (!name.len)
				strbuf_adds(&name, strbuf_text(&other));
			agrees = strcmp(strbuf_text(&name), strbuf_text(&other)) == 0;
		}
	is_named = agrees && name.len;
	if (is_named)
		strbuf_adds(out, strbuf_text(&name));
	strbuf_release(&name);
	strbuf_release(&other);
	return is_named;
}

/* A thing by its address: a global by name, anything else with the word for its class. */
/* A variable by its name, or a part of one. Those of runtime/calls/hidden.def stand for variables of the C
 * library: "static data of exit handlers" of static_data_of_exit_handlers. */
static bool describe_data(struct native *n, uint64_t address, struct strbuf *out, bool *is_inside)
{
	size_t before = out->len;

	load_symbols(n);
	if (!symbols_data(n->symbols, address, out, is_inside))
		return false;
	if (strncmp(strbuf_text(out) + before, "static_data_of_", strlen("static_data_of_")) == 0)
		for (size_t i = before; i < out->len; i++)
			if (out->text[i] == '_')
				out->text[i] = ' ';
	return true;
}

static void describe_thing(struct native *n, const char *word, uint64_t name, struct strbuf *out)
{
	uint64_t address = address_of(n, name);

	if (describe_data(n, address, out, NULL))
		return;
	strbuf_adds(out, word);
	if (!describe_heap(n, address, out))
		strbuf_addf(out, "0x%lx", address);
}

/* The names are those of rt_io_new_object (runtime/calls/io.c) and of sockets with an address. */
static void describe_descriptor(struct native *n, uint64_t name, struct strbuf *out)
{
	static const char *const kinds[] = {
		[CHANNEL_IO_FILE] = "file",       [CHANNEL_IO_PIPE] = "pipe",   [CHANNEL_IO_SOCKET] = "socket",
		[CHANNEL_IO_EVENTFD] = "eventfd", [CHANNEL_IO_EPOLL] = "epoll",
	};
	struct channel *c = n->program.channel;
	uint32_t actor = (uint32_t)(name >> 24) - 1, nth = (uint32_t)name & ((1 << CHANNEL_IO_SHIFT) - 1);
	uint32_t kind = (uint32_t)name >> CHANNEL_IO_SHIFT & 7;
	bool is_flags = kind > CHANNEL_IO_EPOLL;
	char maker[ACTOR_NAME_MAX];

	if (!name) {
		strbuf_adds(out, "the numbers of descriptors");
	} else if (name >> 44 || actor >= c->actors_len) {
		strbuf_adds(out, "a socket");
	} else {
		actor_name(channel_at(c, c->actors), actor, maker);
		kind ^= is_flags ? CHANNEL_IO_FLAGS >> CHANNEL_IO_SHIFT : 0;
		strbuf_addf(out, "%s%s %u of %s", is_flags ? "the flags of " : name & CHANNEL_IO_ROOM ? "room in " : "",
			    kind < sizeof(kinds) / sizeof(*kinds) ? kinds[kind] : "file", nth, maker);
	}
}

/* The name of the place; the lowest bits of barriers and futexes tell several objects at it apart. */
static uint64_t place_of(uint64_t object)
{
	enum object_class class = OBJECT_CLASS(object);

	return OBJECT_NAME_OF(object) & (class == OBJECT_BARRIER ? ~7ul
					 : class == OBJECT_FUTEX ? ~3ul
								 : ~0ul);
}

void native_describe_object(struct target *self, uint64_t object, struct strbuf *out)
{
	static const char *const words[OBJECT_CLASSES] = {
		[OBJECT_LOCK] = "lock at ",       [OBJECT_COND] = "condition at ",
		[OBJECT_SEM] = "semaphore at ",   [OBJECT_BARRIER] = "barrier at ",
		[OBJECT_ONCE] = "once flag at ",  [OBJECT_FUTEX] = "futex at ",
	};
	struct native *n = native_of(self);
	enum object_class class = OBJECT_CLASS(object);
	char name[ACTOR_NAME_MAX];

	if (object && object == n->program.channel->exits) {
		strbuf_adds(out, TARGET_EXIT);
		return;
	}
	switch (class) {
	case OBJECT_ACTOR:
		actor_name(channel_at(n->program.channel, n->program.channel->actors),
			   (uint32_t)OBJECT_NAME_OF(object), name);
		strbuf_adds(out, name);
		break;
	case OBJECT_CLOCK:
		strbuf_adds(out, "the clock");
		break;
	case OBJECT_FD:
		describe_descriptor(n, OBJECT_NAME_OF(object), out);
		break;
	case OBJECT_OUTPUT:
		strbuf_addf(out, OBJECT_NAME_OF(object) == 1 ? "stdout or stderr" : "descriptor %lu",
			    (unsigned long)OBJECT_NAME_OF(object));
		break;
	case OBJECT_SIGNALS:
		strbuf_adds(out, "signals");
		break;
	case OBJECT_TERM:
		strbuf_adds(out, OBJECT_NAME_OF(object) == 16	? "files"
				 : OBJECT_NAME_OF(object) == 17 ? "mappings"
				 : OBJECT_NAME_OF(object) >= 32 ? "the name of a thread"
								: "random numbers");
		break;
	case OBJECT_BARRIER:
	case OBJECT_FUTEX:
		describe_thing(n, words[class], place_of(object), out);
		break;
	default:
		describe_thing(n, class < OBJECT_CLASSES && words[class] ? words[class] : "",
			       OBJECT_NAME_OF(object), out);
	}
}

bool native_describe_variable(struct target *self, uint64_t object, struct strbuf *out,
			      bool *is_inside)
{
	struct native *n = native_of(self);
	uint64_t address;

	if (object && object == n->program.channel->exits)
		return false; /* not a variable of the program */
	switch (OBJECT_CLASS(object)) {
	case OBJECT_MEMORY:
	case OBJECT_LOCK:
	case OBJECT_COND:
	case OBJECT_SEM:
	case OBJECT_ONCE:
	case OBJECT_FUTEX:
	case OBJECT_BARRIER:
		break;
	default:
		return false;
	}
	address = address_of(n, place_of(object));
	return describe_data(n, address, out, is_inside) ||
	       describe_local(n, address, out, is_inside);
}

bool native_written_value(struct target *self, uint32_t step, uint64_t *value)
{
	const struct channel *c = native_of(self)->program.channel;
	const struct channel_written *entry = &c->written[step % CHANNEL_WRITTEN];

	*value = entry->value;
	return entry->step == step + 1;
}

uint32_t native_plain_values(struct target *self, uint32_t plain, uint64_t *before, uint64_t *after)
{
	struct channel *c = native_of(self)->program.channel;
	const struct channel_stack *stacks = channel_at(c, c->stacks);

	for (uint32_t s = 0; s < c->stacks_len; s++) {
		if (stacks[s].key != ((uint32_t)RT_STACK_PLAIN | plain))
			continue;
		*before = stacks[s].before;
		*after = stacks[s].after;
		return (stacks[s].has_before ? TARGET_KNOWS_BEFORE : 0) |
		       (stacks[s].has_after ? TARGET_KNOWS_AFTER : 0);
	}
	return 0;
}

bool native_describe_actor(struct target *self, uint32_t actor, struct strbuf *out)
{
	const struct channel *c = native_of(self)->program.channel;

	if (actor >= c->names_len || !c->names[actor][0])
		return false;
	strbuf_add(out, c->names[actor], strnlen(c->names[actor], sizeof(c->names[actor])));
	return true;
}

bool native_describe_start(struct target *self, uint32_t actor, struct target_frame *frame)
{
	struct native *n = native_of(self);
	const struct channel *c = n->program.channel;
	struct symbols_frame found[8];
	uint32_t len;

	if (actor >= c->names_len || !c->starts[actor])
		return false;
	load_symbols(n);
	len = symbols_code(n->symbols, address_of(n, c->starts[actor]), false, found, 8);
	if (!len || !found[len - 1].function || !found[len - 1].file ||
	    is_own_frame(&found[len - 1]))
		return false;
	*frame = (struct target_frame){.function = found[len - 1].function,
				       .file = found[len - 1].file,
				       .line = found[len - 1].line};
	return true;
}

/* "task#2.next": the number distinguishes blocks that were allocated at the same place. */
static void name_field(struct native *n, const struct channel_block *from, struct target_block *block)
{
	const struct channel *c = n->program.channel;
	struct strbuf name = {0};
	uint32_t before = 1, all = 0;

	load_symbols(n);
	for (uint32_t i = 0; i < c->blocks_len; i++)
		if (c->blocks[i].site == from->site) {
			before += c->blocks[i].start < from->start;
			all++;
		}
	if (symbols_block(n->symbols, address_of(n, from->site), from->size, block->offset,
			  all > 1 ? before : 0, &name))
		snprintf(block->field, sizeof(block->field), "%s", strbuf_text(&name));
	strbuf_release(&name);
}

void native_want_stacks(struct target *self, bool on)
{
	native_of(self)->program.channel->record_stacks = on;
}

/* The frames at an address, innermost first: the functions that the compiler put into one another
 * there. */
static uint32_t add_frames(struct native *n, uint64_t address, struct target_frame *frames,
			   uint32_t room)
{
	struct symbols_frame found[8];
	uint32_t len = symbols_code(n->symbols, address, true, found, 8);
	uint32_t used = 0;

	if (len && is_own_frame(&found[len - 1]))
		return 0;
	for (uint32_t i = 0; i < len && used < room; i++)
		frames[used++] = (struct target_frame){
			.function = found[i].function ? found[i].function : "?",
			.file = found[i].file,
			.line = found[i].line,
			.address = address,
		};
	return used;
}

uint32_t native_stack(struct target *self, uint32_t key, uint32_t actor,
		      struct target_frame *frames, uint32_t frames_max)
{
	struct native *n = native_of(self);
	struct channel *c = n->program.channel;
	const struct channel_stack *stacks = channel_at(c, c->stacks);
	uint32_t wanted = key == (uint32_t)TARGET_AT_END ? (uint32_t)RT_STACK_PENDING | actor
			  : key & (uint32_t)TARGET_OF_PLAIN
				  ? (uint32_t)RT_STACK_PLAIN | (key & ~(uint32_t)TARGET_OF_PLAIN)
				  : key;
	uint32_t used = 0;

	load_symbols(n);
	for (uint32_t s = 0; s < c->stacks_len; s++) {
		if (stacks[s].key != wanted)
			continue;
		for (uint32_t f = 0; f < stacks[s].frames_len && used < frames_max; f++)
			used += add_frames(n, stacks[s].frames[f], frames + used, frames_max - used);
		break;
	}
	return used;
}

static bool is_of_library(const struct target_frame *frame)
{
	return !frame->file || file_is_of_library(frame->file);
}

/* The innermost line of the program itself, if one of the frames is one. */
static void choose_own(const struct target_frame *frames, uint32_t len, struct target_frame *out)
{
	uint32_t i = 0;

	while (i < len && is_of_library(&frames[i]))
		i++;
	if (i < len)
		*out = frames[i];
}

/* A class of a library allocated the block: the line of the program from which it is inlined, or its caller, which was recorded. The last entry counts, because
 * addresses are used again. */
static void find_maker(struct native *n, const struct channel_block *from, struct target_frame *out)
{
	const struct channel *c = n->program.channel;
	struct target_frame frames[CHANNEL_MAKERS * 2];
	uint32_t used = 0, m = c->made_len < CHANNEL_MADE ? c->made_len : CHANNEL_MADE;

	load_symbols(n);
	used += add_frames(n, address_of(n, from->site), frames, CHANNEL_MAKERS); /* inlined into the program */
	while (m > 0 && c->made[m - 1].start != from->start)
		m--;
	for (uint32_t i = 0; m && i < CHANNEL_MAKERS && c->made[m - 1].callers[i]; i++)
		used += add_frames(n, c->made[m - 1].callers[i], frames + used,
				   CHANNEL_MAKERS * 2 - used);
	choose_own(frames, used, out);
}

/* The same for a block that a library freed: that is an access with its call stack. */
static void find_freer(struct target *self, uint64_t start, struct target_frame *out)
{
	struct channel *c = native_of(self)->program.channel;
	const struct plain *plains = channel_at(c, c->plains);
	struct target_frame frames[CHANNEL_FRAMES];

	for (uint32_t i = c->plains_len; i-- > 0;)
		if (plains[i].is_write == 2 && plains[i].address == start) {
			choose_own(frames, native_stack(self, i | (uint32_t)TARGET_OF_PLAIN, 0, frames,
							CHANNEL_FRAMES), out);
			return;
		}
}

/* Is the block an object of the program that std::make_unique has made? */
static bool is_made_unique(const struct target_block *block)
{
	static const char made[] = "std::make_unique<";

	return block->field[0] && block->allocated.function &&
	       strncmp(block->allocated.function, made, strlen(made)) == 0;
}

bool native_describe_block(struct target *self, uint64_t object, struct target_block *block)
{
	struct native *n = native_of(self);
	const struct channel *c = n->program.channel;
	uint64_t address = OBJECT_NAME_OF(object);

	if (OBJECT_CLASS(object) == OBJECT_BARRIER)
		address &= ~7ul;
	for (uint32_t i = 0; i < c->blocks_len; i++) {
		const struct channel_block *from = &c->blocks[i];

		if (address - from->start >= from->size)
			continue;
		*block = (struct target_block){.size = from->size, .offset = address - from->start};
		native_describe_site(self, from->site, &block->allocated);
		name_field(n, from, block);
		block->by_library = is_of_library(&block->allocated) && !is_made_unique(block);
		if (is_of_library(&block->allocated))
			find_maker(n, from, &block->allocated);
		if (from->freed_site)
			native_describe_site(self, from->freed_site, &block->freed);
		if (from->freed_site && is_of_library(&block->freed))
			find_freer(self, from->start, &block->freed);
		return true;
	}
	return false;
}

void native_want_contexts(struct target *self, uint32_t callers)
{
	native_of(self)->program.channel->record_callers = callers;
}

/* Is it code that called the program, or the function of a thread? */
static bool is_outside(const struct target_frame *frame)
{
	return strcmp(frame->function, "begin_thread") == 0 ||
	       strncmp(frame->function, "__libc_start", strlen("__libc_start")) == 0;
}

uint32_t native_context(struct target *self, const struct event *event,
			struct target_frame *frames, uint32_t frames_max)
{
	struct native *n = native_of(self);
	const struct channel_context *context =
		event->context ? channel_context_of(n->program.channel, event->context) : NULL;
	uint32_t used, i;

	load_symbols(n);
	used = add_frames(n, address_of(n, event->site), frames, frames_max);
	if (!used)
		frames[used++] = (struct target_frame){.function = "?", .address = event->site};
	for (i = 0; context && i < context->callers_len && used < frames_max; i++)
		used += add_frames(n, context->callers[i], frames + used, frames_max - used);
	for (i = 1; i < used && !is_outside(&frames[i]);)
		i++;
	return i;
}
