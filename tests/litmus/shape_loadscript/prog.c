#include "../../../bench/programs/loadscript.c"
