#include "../../../bench/programs/tableslock.c"
