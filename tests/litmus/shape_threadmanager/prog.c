#include "../../../bench/programs/threadmanager.c"
