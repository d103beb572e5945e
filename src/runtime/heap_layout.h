/* heap_layout.h: where the program's heap is; the tool needs it to name blocks. */
#ifndef RUNTIME_HEAP_LAYOUT_H
#define RUNTIME_HEAP_LAYOUT_H

#define RT_HEAP_BASE 0x510000000000ul
#define RT_HEAP_REGION (1ul << 32) /* per actor */
#define RT_HEAP_SIZE (RT_HEAP_REGION * 1024)

#endif
