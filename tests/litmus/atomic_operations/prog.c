/* Every read-modify-write in every size does what it says, with another thread about. */
#include "litmus.h"

#define CHECK_SIZE(type) \
	do { \
		static _Atomic type v; \
		type want = 12; \
		atomic_store(&v, 12); \
		assert(atomic_exchange(&v, 10) == 12); \
		assert(atomic_fetch_add(&v, 5) == 10); \
		assert(atomic_fetch_sub(&v, 3) == 15); \
		assert(atomic_fetch_or(&v, 3) == 12); \
		assert(atomic_fetch_and(&v, 9) == 15); \
		assert(atomic_fetch_xor(&v, 5) == 9); \
		assert(atomic_compare_exchange_strong(&v, &want, 1)); \
		want = 7; \
		assert(!atomic_compare_exchange_strong(&v, &want, 2)); \
		assert(want == 1 && atomic_load(&v) == 1); \
		while (!atomic_compare_exchange_weak(&v, &want, 4)) \
			assert(want == 1); \
		assert(v == 4); \
	} while (0)

static atomic_int other;

THREAD(check)
{
	CHECK_SIZE(unsigned char);
	CHECK_SIZE(unsigned short);
	CHECK_SIZE(unsigned int);
	CHECK_SIZE(unsigned long);
	other++;
	return NULL;
}

THREAD(disturb)
{
	other++;
	return NULL;
}

int main(void)
{
	RUN(check, disturb);
	assert(other == 2);
	return 0;
}
