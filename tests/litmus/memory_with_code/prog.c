/* Memory that may hold code is put back between runs like any other. Only if `look` comes first it sees nothing. */
#include <sys/mman.h>

#include "litmus.h"

#ifdef SHARED
#define SHARE MAP_SHARED
#else
#define SHARE MAP_PRIVATE
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *memory;

THREAD(change)
{
	pthread_mutex_lock(&lock);
	memory[0] = 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

THREAD(look)
{
	bool seen;

	pthread_mutex_lock(&lock);
	seen = memory[0];
	memory[1]++;
	pthread_mutex_unlock(&lock);
	assert(seen || ALLOWED);
	return NULL;
}

int main(void)
{
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, SHARE | MAP_ANONYMOUS, -1, 0);
	assert(memory != MAP_FAILED);
	RUN(change, look);
	assert(memory[1] == 1);
	return 0;
}
