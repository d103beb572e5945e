#include "../../../bench/programs/updatetimer.c"
