#include "../../../bench/programs/threadhandle.c"
