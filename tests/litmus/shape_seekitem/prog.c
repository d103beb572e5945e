#include "../../../bench/programs/seekitem.c"
