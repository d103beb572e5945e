#include "../../../bench/programs/nodestate.c"
