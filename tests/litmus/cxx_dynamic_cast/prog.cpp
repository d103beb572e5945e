// Functions of the C++ library that read or write an object of the program: dynamic_cast reads the pointer to the
// table of its class, join() writes the identity of the thread.
#include <mutex>
#include <new>
#include <thread>

static std::mutex lock;

#ifdef FIXED
#define GUARD std::lock_guard<std::mutex> guard(lock)
#else
#define GUARD
#endif

struct base {
	virtual ~base() {}
};

struct derived : base {
	int number = 1;
};

static base *object;
static volatile bool result;

#if defined(DELETED)
static void change() { GUARD; delete object; object = nullptr; }
static void look() { GUARD; result = dynamic_cast<derived *>(object); }

int main()
{
	base *made = object = new derived;
	std::thread other(change);

#ifndef FIXED // the pointer itself does not race
	std::thread third([made] { result = dynamic_cast<derived *>(made); });
	third.join();
#else
	(void)made;
	look();
#endif
	other.join();
}
#elif defined(REPLACED)
alignas(derived) static char room[sizeof(derived)];
static void change() { GUARD; new (room) base; }
static void look() { GUARD; result = dynamic_cast<derived *>(object); }

int main()
{
	object = new (room) derived;
	std::thread a(change), b(look);
	a.join();
	b.join();
}
#elif defined(JOINED)
static std::thread worker;
static void change() { GUARD; worker.join(); }
static void look() { GUARD; result = worker.joinable(); }

int main()
{
	worker = std::thread([] {});
	std::thread a(change), b(look);
	a.join();
	b.join();
}
#else // a thread looks at its own object, which is joined when it has ended
static std::thread worker;
static std::mutex made;

int main()
{
	made.lock();
	worker = std::thread([] {
		std::lock_guard<std::mutex> guard(made);
		result = worker.joinable();
	});
	made.unlock();
	worker.join();
	return !result;
}
#endif
