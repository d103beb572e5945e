// One thread changes a list or a map while another goes over it. The links of the nodes are changed
// inside the C++ library, which has no hooks. (The last case: two threads, each with its own container.)
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>

static std::mutex lock;

#ifdef FIXED
#define GUARD std::lock_guard<std::mutex> guard(lock)
#else
#define GUARD
#endif

#if defined(PUSH) // writes to the last node
static std::list<int> things{1, 2};
static void change() { GUARD; things.push_back(3); }
static int look() { GUARD; return *++things.begin() + (std::next(things.begin(), 2) == things.end()); }
#elif defined(ERASE) // writes to the neighbours of the node
static std::list<int> things{1, 2, 3};
static auto middle = std::next(things.begin());
static void change() { GUARD; things.erase(middle); }
static int look() { GUARD; return *--things.end() + (std::prev(things.end(), 2) == things.begin()); }
#elif defined(SPLICE)
static std::list<int> things{1, 2}, others{3};
static void change() { GUARD; things.splice(things.end(), others); }
static int look() { GUARD; return (int)others.size(); }
#elif defined(SWAP)
static std::list<int> things{1, 2}, others{3};
static void change() { GUARD; things.swap(others); }
static int look() { GUARD; return *++others.begin(); }
#elif defined(INSERT) // the new node turns the tree; the look only climbs
static std::map<int, int> things{{1, 1}, {2, 2}};
static auto first = things.begin();
static void change() { GUARD; things[3] = 3; }
static int look() { GUARD; return std::next(first)->second; }
#elif defined(REMOVE)
static std::set<int> things{1, 2, 3, 4};
static auto third = std::next(things.begin(), 2);
static void change() { GUARD; things.erase(4); }
static int look() { GUARD; return std::next(third) == things.end(); }
#elif defined(BACK)
static std::multiset<int> things{1, 2};
static void change() { GUARD; things.insert(3); }
static int look() { GUARD; return *std::prev(things.end()); }
#else
static int use()
{
	std::list<int> numbers{3, 1, 2};
	std::map<int, int> squares;

	numbers.reverse();
	numbers.sort();
	for (int n : numbers)
		squares[n] = n * n;
	squares.erase(2);
	return std::next(squares.begin())->second + numbers.back();
}
static void change() { assert(use() == 12); }
static int look() { return use(); }
#endif

int main()
{
	std::thread changing(change);
	volatile int seen = look();

	changing.join();
	return seen > 100;
}
