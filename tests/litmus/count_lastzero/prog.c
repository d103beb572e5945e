#include "../../../bench/programs/lastzero.c"
