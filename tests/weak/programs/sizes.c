/* Atomic accesses of different sizes to the same bytes have no meaning in the model.
 *
 * rc11: lost
 */
#include <stdint.h>

#include "weak.h"

union {
	_Atomic uint32_t whole;
	_Atomic uint8_t byte;
} both;

static void *write_whole(void *unused)
{
	STORE_TO(both.whole, 0x101, relaxed);
	return unused;
}

static void *read_byte(void *unused)
{
	(void)LOAD_FROM(both.byte, relaxed);
	return unused;
}

MAIN(write_whole, read_byte)
