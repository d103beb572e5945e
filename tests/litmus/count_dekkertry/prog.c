#include "../../../bench/programs/dekkertry.c"
