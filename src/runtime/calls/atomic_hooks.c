/* atomic_hooks.c: the calls that -fsanitize=thread makes of atomic operations, and the
 * functions of libatomic that a program may call itself. */
#include "runtime/atomic.h"
#include "runtime/history.h"
#include "runtime/rt_sys.h"

#define EXPORTED __attribute__((visibility("default")))

/* ---- 1 to 8 bytes: the compiler's own operations ---- */

#define LOAD_SMALL(address) __atomic_load_n(address, __ATOMIC_SEQ_CST)
#define SWAP_SMALL(address, value) __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST)
#define CAS_SMALL(address, seen, value) \
	__atomic_compare_exchange_n(address, seen, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

/* ---- 16 bytes ---- */

static bool cas_large(volatile rt_u128 *address, rt_u128 *seen, rt_u128 value)
{
	rt_u128 was = rt_cas_16(address, *seen, value);
	bool done = was == *seen;

	*seen = was;
	return done;
}

static rt_u128 load_large(const volatile rt_u128 *address)
{
	return rt_cas_16((volatile rt_u128 *)address, 0, 0);
}

static rt_u128 swap_large(volatile rt_u128 *address, rt_u128 value)
{
	rt_u128 was = load_large(address);

	while (!cas_large(address, &was, value))
		;
	return was;
}

#define LOAD_LARGE(address) load_large(address)
#define SWAP_LARGE(address, value) swap_large(address, value)
#define CAS_LARGE(address, seen, value) cas_large(address, seen, value)

/* ---- under a weak memory model ---- */

static bool cas_in_history(struct rt_atomic *op, volatile void *address, void *seen,
			   const void *value, size_t size)
{
	bool is_same = !op->fails;

	rt_history_expect(op->did, seen, size);
	for (size_t i = 0; i < size; i++)
		is_same &= ((const char *)seen)[i] == ((const char *)op->seen)[i];
	if (is_same)
		rt_history_write(op->did, address, value, size);
	else
		rt_memcpy(seen, op->seen, size);
	return is_same;
}

/* ---- the entry points of one size ---- */

#define OP_ADD(a, b) ((a) + (b))
#define OP_SUB(a, b) ((a) - (b))
#define OP_AND(a, b) ((a) & (b))
#define OP_OR(a, b) ((a) | (b))
#define OP_XOR(a, b) ((a) ^ (b))
#define OP_NAND(a, b) (~((a) & (b)))

#define DEFINE_UPDATE(bits, type, class, name, OP) \
	EXPORTED type __tsan_atomic##bits##_##name(volatile type *address, type value, int order); \
	type __tsan_atomic##bits##_##name(volatile type *address, type value, int order) \
	{ \
		struct rt_atomic op; \
		type was, now; \
\
		rt_atomic_begin(&op, EVENT_RMW, address, sizeof(type), order, RT_SITE); \
		if (op.seen) { \
			was = *(const type *)op.seen; \
			now = (type)OP(was, value); \
			rt_history_write(op.did, address, &now, sizeof(type)); \
		} else { \
			was = LOAD_##class(address); \
			do \
				now = (type)OP(was, value); \
			while (!CAS_##class(address, &was, now)); \
		} \
		rt_atomic_end(&op, (uint64_t)was, was != now); \
		return was; \
	}

#define DEFINE_MOVES(bits, type, class) \
	EXPORTED type __tsan_atomic##bits##_load(const volatile type *address, int order); \
	type __tsan_atomic##bits##_load(const volatile type *address, int order) \
	{ \
		struct rt_atomic op; \
		type value; \
\
		rt_atomic_begin(&op, EVENT_LOAD, address, sizeof(type), order, RT_SITE); \
		value = op.seen ? *(const type *)op.seen : LOAD_##class(address); \
		rt_atomic_end(&op, (uint64_t)value, true); \
		return value; \
	} \
	EXPORTED void __tsan_atomic##bits##_store(volatile type *address, type value, int order); \
	void __tsan_atomic##bits##_store(volatile type *address, type value, int order) \
	{ \
		struct rt_atomic op; \
		type was; \
\
		rt_atomic_begin(&op, EVENT_STORE, address, sizeof(type), order, RT_SITE); \
		if (op.seen) { \
			rt_history_write(op.did, address, &value, sizeof(type)); \
			rt_atomic_end(&op, 0, true); \
		} else { \
			was = SWAP_##class(address, value); \
			rt_atomic_end(&op, 0, was != value); \
		} \
		rt_leave_no_trace(); \
	} \
	EXPORTED type __tsan_atomic##bits##_exchange(volatile type *address, type value, \
						     int order); \
	type __tsan_atomic##bits##_exchange(volatile type *address, type value, int order) \
	{ \
		struct rt_atomic op; \
		type was; \
\
		rt_atomic_begin(&op, EVENT_RMW, address, sizeof(type), order, RT_SITE); \
		if (op.seen) { \
			was = *(const type *)op.seen; \
			rt_history_write(op.did, address, &value, sizeof(type)); \
		} else { \
			was = SWAP_##class(address, value); \
		} \
		rt_atomic_end(&op, (uint64_t)was, was != value); \
		return was; \
	}

/* clang has one hook for strong and weak compare-and-swaps, which does not say which one it is. */
#define DEFINE_CAS(bits, type, class) \
	static inline bool cas_##bits(struct rt_atomic *op, volatile type *address, type *seen, \
				      type value, int failed_order) \
	{ \
		type expected = *seen; \
		bool done = false; \
\
		if (op->seen) \
			done = cas_in_history(op, address, seen, &value, sizeof(type)); \
		else if (op->fails) \
			*seen = LOAD_##class(address); \
		else \
			done = CAS_##class(address, seen, value); \
		if (done) \
			rt_atomic_end_done(op, (uint64_t)expected, expected != value, failed_order); \
		else \
			rt_atomic_end_failed(op, (uint64_t)*seen, failed_order); \
		return done; \
	} \
	EXPORTED int __tsan_atomic##bits##_compare_exchange_strong( \
		volatile type *address, type *seen, type value, int order, int failed_order); \
	int __tsan_atomic##bits##_compare_exchange_strong( \
		volatile type *address, type *seen, type value, int order, int failed_order) \
	{ \
		struct rt_atomic op; \
\
		rt_atomic_begin(&op, EVENT_CAS, address, sizeof(type), order, RT_SITE); \
		return cas_##bits(&op, address, seen, value, failed_order); \
	} \
	EXPORTED int __tsan_atomic##bits##_compare_exchange_weak( \
		volatile type *address, type *seen, type value, int order, int failed_order); \
	int __tsan_atomic##bits##_compare_exchange_weak( \
		volatile type *address, type *seen, type value, int order, int failed_order) \
	{ \
		struct rt_atomic op; \
\
		rt_atomic_begin_weak(&op, address, sizeof(type), order, RT_SITE); \
		return cas_##bits(&op, address, seen, value, failed_order); \
	} \
	EXPORTED type __tsan_atomic##bits##_compare_exchange_val( \
		volatile type *address, type seen, type value, int order, int failed_order); \
	type __tsan_atomic##bits##_compare_exchange_val( \
		volatile type *address, type seen, type value, int order, int failed_order) \
	{ \
		struct rt_atomic op; \
\
		rt_atomic_begin(&op, EVENT_CAS, address, sizeof(type), order, RT_SITE); \
		if (op.did) \
			RT->channel->assumed |= ASSUMED_STRONG_CAS; \
		cas_##bits(&op, address, &seen, value, failed_order); \
		return seen; \
	}

#define DEFINE_ATOMICS(bits, type, class) \
	DEFINE_MOVES(bits, type, class) \
	DEFINE_CAS(bits, type, class) \
	DEFINE_UPDATE(bits, type, class, fetch_add, OP_ADD) \
	DEFINE_UPDATE(bits, type, class, fetch_sub, OP_SUB) \
	DEFINE_UPDATE(bits, type, class, fetch_and, OP_AND) \
	DEFINE_UPDATE(bits, type, class, fetch_or, OP_OR) \
	DEFINE_UPDATE(bits, type, class, fetch_xor, OP_XOR) \
	DEFINE_UPDATE(bits, type, class, fetch_nand, OP_NAND)

DEFINE_ATOMICS(8, uint8_t, SMALL)
DEFINE_ATOMICS(16, uint16_t, SMALL)
DEFINE_ATOMICS(32, uint32_t, SMALL)
DEFINE_ATOMICS(64, uint64_t, SMALL)
DEFINE_ATOMICS(128, rt_u128, LARGE)

EXPORTED void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	rt_atomic_fence(order, RT_SITE);
}

EXPORTED void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}
