#include "../../../bench/programs/nestedmonitor.c"
