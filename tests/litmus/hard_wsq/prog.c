#include "../../../bench/programs/wsq.c"
