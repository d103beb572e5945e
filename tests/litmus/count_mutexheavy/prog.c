#include "../../../bench/programs/mutexheavy.c"
