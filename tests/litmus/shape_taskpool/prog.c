/* The thread manager of the shape of Thrift's, with its stress test. */
#include "../../../bench/programs/taskpool.c"
