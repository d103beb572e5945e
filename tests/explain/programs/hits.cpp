#include <thread>
#include <vector>
#include <cstdio>

static int hits;
static void count() { for (int i = 0; i < 2; i++) hits++; }
int main()
{
	std::vector<std::thread> ts;
	for (int i = 0; i < 2; i++)
		ts.emplace_back(count);
	for (auto &t : ts)
		t.join();
	printf("%d\n", hits);
}
