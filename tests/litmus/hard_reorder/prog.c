#include "../../../bench/programs/reorder.c"
