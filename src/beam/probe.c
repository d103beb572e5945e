#include "beam/probe.h"

#include "vm/exec/interp.h"
#include "vm/memory/heap.h"

/* A frame has at most 1024 slots: y registers are numbered like x registers. */
enum { SLOTS_MAX = 24, WORDS_MAX = 256, FRAME_MAX = 1024 };

/* Not run state: nothing in here outlives a question. Guards allocate in `scratch`, which has no
 * stack behind it, so a test for room never fails and no collection happens. */
static struct process prober;
static term scratch[4096];

static enum step_end ask(term content)
{
	struct message message = {.content = content, .kind = MESSAGE_ON_HEAP};

	prober.vm = vm_get();
	prober.heap = prober.htop = scratch;
	prober.is_system = true; /* announces nothing */
	prober.is_probe = true;
	prober.mailbox = (struct mailbox){0};
	if (content != TERM_NONE)
		prober.mailbox = (struct mailbox){&message, &message, &message, 1};
	prober.status = PROCESS_RUNNABLE;
	return interp_run(&prober);
}

/* Slots of the frame: up to the next saved continuation, which no term looks like. */
static uint32_t count_slots(const struct process *p)
{
	uint32_t len = 0;

	while (p->e + 1 + len < p->hend && (p->e[1 + len] & TAG_MASK) != TAG_HEADER)
		len++;
	return len;
}

enum step_end probe_now(struct process *p, term content)
{
	term slots[FRAME_MAX];
	uint32_t len = p->e < p->hend ? count_slots(p) : 0;
	enum step_end end;

	if (len > FRAME_MAX)
		len = FRAME_MAX;
	memcpy(slots, p->e + 1, len * sizeof(term));
	prober.hend = p->hend;
	prober.e = p->e;
	prober.ip = p->ip;
	prober.cp = p->cp;
	prober.saved_x = p->saved_x;
	prober.saved_len = p->saved_len;
	end = ask(content);
	memcpy(p->e + 1, slots, len * sizeof(term));
	return end;
}

uint64_t probe_time_ms(void)
{
	return term_is_small(prober.probed_time) ? (uint64_t)small_value(prober.probed_time) : 0;
}

void probe_keep(struct probe_frame *frame, const struct process *p, struct arena *arena)
{
	uint32_t len = p->e < p->hend ? count_slots(p) : 0;
	struct off_heap off_heap = {0};
	size_t words = 0;
	term *slots, *hp;

	*frame = (struct probe_frame){.ip = p->ip, .cp = p->cp, .slots_len = len};
	for (uint32_t i = 0; i < len && i < SLOTS_MAX && words <= WORDS_MAX; i++)
		words += term_is_immediate(p->e[1 + i]) ? 0 : term_copy_words(p->e[1 + i]);
	if (len > SLOTS_MAX || words > WORDS_MAX) {
		frame->is_unknown = true;
		return;
	}
	slots = arena_alloc(arena, (len + words + 1) * sizeof(term));
	hp = slots + len;
	for (uint32_t i = 0; i < len; i++)
		slots[i] = term_is_immediate(p->e[1 + i])
				   ? p->e[1 + i] : term_copy(p->e[1 + i], &hp, &off_heap);
	frame->slots = slots;
}

bool probe_then(const struct probe_frame *frame, term content)
{
	term block[1 + SLOTS_MAX];

	if (frame->is_unknown)
		return true;
	prober.hend = block + 1 + frame->slots_len;
	prober.e = block;
	prober.e[0] = 0;
	if (frame->slots_len)
		memcpy(prober.e + 1, frame->slots, frame->slots_len * sizeof(term));
	prober.ip = frame->ip;
	prober.cp = frame->cp;
	prober.saved_len = 0; /* a receive after T alone takes nothing, whatever T is */
	return ask(content) == STEP_MATCHED;
}
