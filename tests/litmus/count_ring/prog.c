#include "../../../bench/programs/ring.c"
