/* weak.h: short words for the programs of this folder. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define ORDER_(order) memory_order_##order
#define ORDER(order) ORDER_(order)
#define LOAD_FROM(variable, order) atomic_load_explicit(&(variable), ORDER(order))
#define STORE_TO(variable, value, order) atomic_store_explicit(&(variable), value, ORDER(order))
#define ADD_TO(variable, value, order) atomic_fetch_add_explicit(&(variable), value, ORDER(order))
#define SWAP(variable, value, order) atomic_exchange_explicit(&(variable), value, ORDER(order))
#define CAS(variable, expected, value, order, failed) \
	atomic_compare_exchange_strong_explicit(&(variable), &(expected), value, ORDER(order), \
						ORDER(failed))
#define FENCE(order) atomic_thread_fence(ORDER(order))

/* main() that runs the functions as threads, then CHECK, which a program may define. */
#ifndef CHECK
#define CHECK ((void)0)
#endif
#define MAIN(...) \
	int main(void) \
	{ \
		void *(*const code[])(void *) = {__VA_ARGS__}; \
		pthread_t threads[8]; \
\
		for (size_t i = 0; i < sizeof(code) / sizeof(code[0]); i++) \
			pthread_create(&threads[i], NULL, code[i], NULL); \
		for (size_t i = 0; i < sizeof(code) / sizeof(code[0]); i++) \
			pthread_join(threads[i], NULL); \
		CHECK; \
		return 0; \
	}
