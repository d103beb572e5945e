/* (N+1)! executions. */
#include "../../../bench/programs/nwriters.c"
