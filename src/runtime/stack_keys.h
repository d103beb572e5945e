/* stack_keys.h: the keys of recorded call stacks (channel_stack.key): the step of an
 * event as it is, or one of these with an index. Shared with native/. */
#ifndef RUNTIME_STACK_KEYS_H
#define RUNTIME_STACK_KEYS_H

enum {
	RT_STACK_NOTICE = 0x20000000,       /* | index of a notice */
	RT_STACK_PLAIN = 0x40000000,        /* | index of a plain access */
	RT_STACK_PENDING = (int)0x80000000, /* | actor: where it stood at the end */
};

#endif
