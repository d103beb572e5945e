#include "../../../bench/programs/closeconn.c"
