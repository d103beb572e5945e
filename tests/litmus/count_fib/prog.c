#include "../../../bench/programs/fib.c"
