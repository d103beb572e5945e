/* heap_layout.h: where the program's heap is, which the tool must know to name blocks, and where the
 * stacks of its threads are. */
#ifndef RUNTIME_HEAP_LAYOUT_H
#define RUNTIME_HEAP_LAYOUT_H

#define RT_HEAP_BASE 0x510000000000ul
#define RT_HEAP_REGION (1ul << 32) /* per actor */
#define RT_HEAP_SIZE (RT_HEAP_REGION * 1024)

/* The stack of the thread with index i ends at RT_STACK_BASE + (i + 1) * RT_STACK_STRIDE. */
#define RT_STACK_BASE 0x500000000000ul
#define RT_STACK_STRIDE (1ul << 28)

#endif
