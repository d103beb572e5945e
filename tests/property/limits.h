/* limits.h: how many objects a generated program has. program.py reads these lines, too. */
#ifndef PROPERTY_LIMITS_H
#define PROPERTY_LIMITS_H

enum {
	ATOMICS = 4, /* the last one is `beat`, which is only ever set to 1 */
	MUTEXES = 2,
	SEMAPHORES = 2,
	PLAINS = 2,
	REGISTERS = 4,
	THREADS = 6, /* with main, which is thread 0 */
	CODE = 96,   /* instructions of a thread */
	PIPE = 32,   /* bytes that are in the pipe at most, because there are fewer writes */
	PARTY = 2,   /* threads that the barrier waits for */
};

#endif
