// A thread assigns to a std::locale that another looks at. WHICH 1: a copy is made; 2: a facet is used. FIXED: later.
#include <locale>
#include <thread>

static std::locale shared;

static char use()
{
#if WHICH == 1
	std::locale copy(shared);
	return 'A';
#else
	return std::use_facet<std::ctype<char>>(shared).toupper('a');
#endif
}

int main()
{
	char letter = 'A';
	std::thread thread([] { shared = std::locale::classic(); });

#ifdef FIXED
	thread.join();
#endif
	letter = use();
#ifndef FIXED
	thread.join();
#endif
	return letter != 'A';
}
