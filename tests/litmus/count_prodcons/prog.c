#include "../../../bench/programs/prodcons.c"
