#include "../../../bench/programs/cachestats.c"
