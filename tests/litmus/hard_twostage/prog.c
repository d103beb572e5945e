#include "../../../bench/programs/twostage.c"
