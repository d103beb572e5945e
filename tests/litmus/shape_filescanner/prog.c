#include "../../../bench/programs/filescanner.c"
