#include "../../../bench/programs/peterson.c"
