/* wait and notify of C++20 atomics, and the latches, barriers and semaphores made of them. They wake
 * threads and order nothing else. libstdc++ does not notify if it finds that nobody waits, where its
 * orders do not forbid a lost wake-up; the standard does forbid it, and so it is not reported.
 *
 * rc11: proved
 * tso: proved
 * rc11 -DTYPE=bool: proved
 * rc11 -DTYPE=long: proved
 * tso -DTYPE=long: proved
 * rc11 -DSTORE=relaxed: race
 * rc11 -DLOAD=relaxed: race
 * rc11 -DFORGETS: deadlock
 * rc11 -DEARLY: deadlock
 * rc11 -DTYPE=long -DEARLY: deadlock
 * rc11 -DTWO: deadlock
 * rc11 -DOTHER: proved
 * rc11 -DOTHER -DSTORE=relaxed: deadlock
 * tso -DOTHER -DSTORE=relaxed: proved
 * rc11 -DAROUND: assertion
 * tso -DAROUND: assertion
 * rc11 -DLATCH: proved
 * rc11 -DBARRIER: proved
 * tso -DBARRIER: proved
 * rc11 -DSEMAPHORE: proved
 * rc11 -DFUTURE: proved
 * rc11 by pos: none
 */
#include <atomic>
#include <barrier>
#include <cassert>
#include <future>
#include <latch>
#include <semaphore>
#include <thread>

#ifndef TYPE
#define TYPE int
#endif
#ifndef STORE
#define STORE release
#endif
#ifndef LOAD
#define LOAD acquire
#endif
#define ORDER_(order) std::memory_order_##order
#define ORDER(order) ORDER_(order)

static std::atomic<TYPE> ready;
static std::atomic<int> x, y, seen_x, seen_y;
static int payload;

static void await_ready()
{
	ready.wait(0, ORDER(LOAD));
#if !defined(OTHER) && !defined(TWO)
	assert(payload == 1);
#endif
}

static void give()
{
	payload = 1;
#ifdef EARLY
	ready.notify_one();
#endif
	ready.store(1, ORDER(STORE));
#if !defined(FORGETS) && !defined(EARLY) && !defined(OTHER)
	ready.notify_one();
#endif
}

#if defined(OTHER) /* a thread notifies of a store that another one made */
static void notify()
{
	if (ready.load(ORDER(LOAD)))
		ready.notify_one();
	else
		ready.store(2, ORDER(STORE)), ready.notify_one();
}

int main()
{
	std::thread a(give), b(notify), c(await_ready);

	a.join(), b.join(), c.join();
}
#elif defined(TWO) /* two wait, one is woken */
int main()
{
	std::thread a(await_ready), b(await_ready), c(give);

	a.join(), b.join(), c.join();
}
#elif defined(AROUND) /* notify is not a fence */
int main()
{
	std::thread a([] {
		x.store(1, std::memory_order_relaxed);
		x.notify_one();
		seen_y.store(y.load(std::memory_order_relaxed), std::memory_order_relaxed);
	});
	std::thread b([] {
		y.store(1, std::memory_order_relaxed);
		y.notify_one();
		seen_x.store(x.load(std::memory_order_relaxed), std::memory_order_relaxed);
	});

	a.join(), b.join();
	assert(seen_x || seen_y);
}
#elif defined(LATCH)
int main()
{
	std::latch latch(2);
	std::thread a([&] { payload = 1; latch.count_down(); });

	latch.arrive_and_wait();
	assert(payload == 1);
	a.join();
}
#elif defined(BARRIER)
int main()
{
	std::barrier<> barrier(2);
	std::thread a([&] { payload = 1; barrier.arrive_and_wait(); });

	barrier.arrive_and_wait();
	assert(payload == 1);
	a.join();
}
#elif defined(SEMAPHORE)
int main()
{
	std::binary_semaphore semaphore(0);
	std::thread a([&] { payload = 1; semaphore.release(); });

	semaphore.acquire();
	assert(payload == 1);
	a.join();
}
#elif defined(FUTURE)
int main()
{
	std::promise<int> promise;
	std::thread a([&] { x.store(1, std::memory_order_relaxed); promise.set_value(1); });

	assert(promise.get_future().get() == 1);
	assert(x.load(std::memory_order_relaxed) == 1);
	a.join();
}
#else
int main()
{
	std::thread a(give), b(await_ready);

	a.join(), b.join();
}
#endif
